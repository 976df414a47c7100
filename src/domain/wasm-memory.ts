/** Memory for loops over bytes in WebAssembly. Growing it voids earlier views of `buffer`. */

export interface LoopMemory {
  readonly buffer: ArrayBuffer
  /** Makes it at least so many bytes long. Throws RangeError when there is no more. */
  reserve(bytes: number): void
}

const PAGE_BYTES = 65_536
/** The largest memory of WebAssembly with 32-bit addresses. */
export const LARGEST_MEMORY = 65_536 * PAGE_BYTES

/** The used part of WebAssembly, whose types belong to the browser's library. */
interface WebAssemblySlice {
  Module: new (bytes: Uint8Array) => object
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer; grow(pages: number): number }
  Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: unknown }
}

/** A kernel's memory and exports. Every runtime that this program takes has WebAssembly with SIMD. */
export function wasmMemory<Exports>(base64: string): { memory: LoopMemory; exports: Exports } {
  const wasm = (globalThis as unknown as { WebAssembly: WebAssemblySlice }).WebAssembly
  const memory = new wasm.Memory({ initial: 1 })
  const { exports } = new wasm.Instance(new wasm.Module(Buffer.from(base64, 'base64')), { kernel: { memory } })
  return {
    memory: {
      get buffer() {
        return memory.buffer
      },
      reserve(bytes) {
        const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)
        if (missing > 0) memory.grow(missing)
      },
    },
    exports: exports as Exports,
  }
}
