;; Which of these vectors may be close enough to the query? For `count` vectors of int8, one behind the other, the dot
;; product with a query of int16, times the vector's scale; those whose score cannot be ruled out to reach the
;; threshold are written to `out` as pairs of slot (u32) and score (f32). Returns how many.
;;
;; Two passes, since comparing each score at once made the loop over the codes a third slower: first every dot product
;; goes to `dots`, then four at a time are scaled and compared. One vector at a time and two sums are enough for the
;; first: wider variants were no quicker, the loads are the bottleneck.
;;
;; `stride`, the bytes of a vector, is a multiple of 32. There is room for four more scales, errors and dots than count.
(module
  (import "kernel" "memory" (memory 1))
  (func (export "scan")
    (param $codes i32) (param $count i32) (param $stride i32) (param $query i32)
    (param $scales i32) (param $errors i32) (param $dots i32)
    (param $unit f32) (param $threshold f32) (param $out i32)
    (result i32)
    (local $slot i32) (local $at i32) (local $end i32) (local $part i32) (local $dot i32)
    (local $place i32) (local $lane i32) (local $bits i32)
    (local $a v128) (local $b v128) (local $scores v128)

    (local.set $at (local.get $codes))
    (local.set $dot (local.get $dots))
    (block $multiplied
      (loop $vectors
        (br_if $multiplied (i32.ge_u (local.get $slot) (local.get $count)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $part (local.get $query))
        (local.set $end (i32.add (local.get $at) (local.get $stride)))
        (loop $dimensions
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load (local.get $part)) (v128.load8x8_s (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $part)) (v128.load8x8_s offset=8 (local.get $at)))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load offset=32 (local.get $part)) (v128.load8x8_s offset=16 (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=48 (local.get $part)) (v128.load8x8_s offset=24 (local.get $at)))))
          (local.set $part (i32.add (local.get $part) (i32.const 64)))
          (br_if $dimensions
            (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $end))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (local.set $a (i32x4.add (local.get $a)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
        (i32.store (local.get $dot)
          (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a))))
        (local.set $dot (i32.add (local.get $dot) (i32.const 4)))
        (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
        (br $vectors)))

    (local.set $place (local.get $out))
    (local.set $slot (i32.const 0))
    (block $compared
      (loop $fours
        (br_if $compared (i32.ge_u (local.get $slot) (local.get $count)))
        (local.set $scores
          (f32x4.mul
            (f32x4.mul (f32x4.convert_i32x4_s (v128.load (local.get $dots))) (f32x4.splat (local.get $unit)))
            (v128.load (local.get $scales))))
        (local.set $bits (i32x4.bitmask
          (f32x4.ge
            (f32x4.add (local.get $scores) (v128.load (local.get $errors)))
            (f32x4.splat (local.get $threshold)))))
        (if (local.get $bits)
          (then
            (v128.store (local.get $dots) (local.get $scores))
            (local.set $lane (i32.const 0))
            (loop $lanes
              (if (i32.and
                    (i32.and (local.get $bits) (i32.const 1))
                    (i32.lt_u (i32.add (local.get $slot) (local.get $lane)) (local.get $count)))
                (then
                  (i32.store (local.get $place) (i32.add (local.get $slot) (local.get $lane)))
                  (f32.store offset=4 (local.get $place)
                    (f32.load (i32.add (local.get $dots) (i32.shl (local.get $lane) (i32.const 2)))))
                  (local.set $place (i32.add (local.get $place) (i32.const 8)))))
              (local.set $lane (i32.add (local.get $lane) (i32.const 1)))
              (br_if $lanes (local.tee $bits (i32.shr_u (local.get $bits) (i32.const 1)))))))
        (local.set $dots (i32.add (local.get $dots) (i32.const 16)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
        (local.set $errors (i32.add (local.get $errors) (i32.const 16)))
        (local.set $slot (i32.add (local.get $slot) (i32.const 4)))
        (br $fours)))
    (i32.shr_u (i32.sub (local.get $place) (local.get $out)) (i32.const 3)))
)
