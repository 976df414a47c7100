/** How quickly can one thread read memory? The reference for scans: WebAssembly that reads every byte and does no more. */
import wabt from 'wabt'

const READER = `(module
  (import "bench" "memory" (memory 1))
  (func (export "read") (param $at i32) (param $end i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $next
      (local.set $a (v128.or (local.get $a) (v128.load (local.get $at))))
      (local.set $b (v128.or (local.get $b) (v128.load offset=16 (local.get $at))))
      (local.set $c (v128.or (local.get $c) (v128.load offset=32 (local.get $at))))
      (local.set $d (v128.or (local.get $d) (v128.load offset=48 (local.get $at))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (i32x4.extract_lane 0 (v128.or (v128.or (local.get $a) (local.get $b)) (v128.or (local.get $c) (local.get $d))))))`

interface WebAssemblySlice {
  Module: new (bytes: Uint8Array) => object
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  Instance: new (module: object, imports: object) => { readonly exports: { read(at: number, end: number): number } }
}

/** A function that reads so many bytes once and answers with the milliseconds that it took. */
export async function streamingReader(bytes: number): Promise<() => number> {
  const { parseWat } = await wabt()
  const { buffer } = parseWat('reader.wat', READER, { simd: true }).toBinary({})
  const { Module, Memory, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblySlice }).WebAssembly
  const memory = new Memory({ initial: Math.ceil(bytes / 65_536) })
  // Pages that were never written would all be the same page of zeros.
  new Uint8Array(memory.buffer).fill(1)
  const { read } = new Instance(new Module(buffer), { bench: { memory } }).exports
  const end = Math.floor(bytes / 64) * 64
  return () => {
    const started = performance.now()
    read(0, end)
    return performance.now() - started
  }
}
