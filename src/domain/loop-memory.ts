/** Memory for loops over bytes, by WebAssembly where there is SIMD. Growing it voids earlier views of `buffer`. */

/** Memory that can grow. */
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

/** A kernel's memory and exports; undefined where WebAssembly or its SIMD instructions are missing. */
export function wasmMemory<Exports>(base64: string): { memory: LoopMemory; exports: Exports } | undefined {
  const wasm = (globalThis as { WebAssembly?: WebAssemblySlice }).WebAssembly
  if (wasm === undefined) return undefined
  let module: object
  try {
    module = new wasm.Module(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
  const memory = new wasm.Memory({ initial: 1 })
  const { exports } = new wasm.Instance(module, { kernel: { memory } })
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

/** Memory for plain loops: a runtime without WebAssembly (node --jitless) or without SIMD. */
export function plainMemory(): LoopMemory {
  const buffer = new ArrayBuffer(PAGE_BYTES, { maxByteLength: LARGEST_MEMORY })
  return {
    buffer,
    reserve(bytes) {
      if (bytes > buffer.byteLength) buffer.resize(Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES)
    },
  }
}
