;; Which of many texts may mean the same as the query? Three loops over codes of 256 numbers and over their signs.
(module
  (import "kernel" "memory" (memory 1))

  ;; How many of 256 signs differ from the query's, for `count` texts, a multiple of four, 32 bytes each: a byte a text
  ;; to `out` (256 becomes 255), and one more in the histogram (257 × u32) for each. Four texts at a time: the counts of
  ;; their bytes are added in pairs until one number a text is left.
  (func (export "distances")
    (param $signs i32) (param $count i32) (param $query i32) (param $out i32) (param $histogram i32)
    (local $end i32) (local $bin i32)
    (local $q v128) (local $r v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $q (v128.load (local.get $query)))
    (local.set $r (v128.load offset=16 (local.get $query)))
    (local.set $end (i32.add (local.get $out) (local.get $count)))
    (block $done
      (loop $fours
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $a (i8x16.add
          (i8x16.popcnt (v128.xor (local.get $q) (v128.load (local.get $signs))))
          (i8x16.popcnt (v128.xor (local.get $r) (v128.load offset=16 (local.get $signs))))))
        (local.set $b (i8x16.add
          (i8x16.popcnt (v128.xor (local.get $q) (v128.load offset=32 (local.get $signs))))
          (i8x16.popcnt (v128.xor (local.get $r) (v128.load offset=48 (local.get $signs))))))
        (local.set $c (i8x16.add
          (i8x16.popcnt (v128.xor (local.get $q) (v128.load offset=64 (local.get $signs))))
          (i8x16.popcnt (v128.xor (local.get $r) (v128.load offset=80 (local.get $signs))))))
        (local.set $d (i8x16.add
          (i8x16.popcnt (v128.xor (local.get $q) (v128.load offset=96 (local.get $signs))))
          (i8x16.popcnt (v128.xor (local.get $r) (v128.load offset=112 (local.get $signs))))))
        (local.set $a (i8x16.add
          (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $a) (local.get $b))
          (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $a) (local.get $b))))
        (local.set $c (i8x16.add
          (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $c) (local.get $d))
          (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $c) (local.get $d))))
        (local.set $a (i8x16.add
          (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $a) (local.get $c))
          (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $a) (local.get $c))))
        (local.set $a (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $a))))
        (local.set $bin (i32.add (local.get $histogram) (i32.shl (i32x4.extract_lane 0 (local.get $a)) (i32.const 2))))
        (i32.store (local.get $bin) (i32.add (i32.load (local.get $bin)) (i32.const 1)))
        (local.set $bin (i32.add (local.get $histogram) (i32.shl (i32x4.extract_lane 1 (local.get $a)) (i32.const 2))))
        (i32.store (local.get $bin) (i32.add (i32.load (local.get $bin)) (i32.const 1)))
        (local.set $bin (i32.add (local.get $histogram) (i32.shl (i32x4.extract_lane 2 (local.get $a)) (i32.const 2))))
        (i32.store (local.get $bin) (i32.add (i32.load (local.get $bin)) (i32.const 1)))
        (local.set $bin (i32.add (local.get $histogram) (i32.shl (i32x4.extract_lane 3 (local.get $a)) (i32.const 2))))
        (i32.store (local.get $bin) (i32.add (i32.load (local.get $bin)) (i32.const 1)))
        (local.set $a (i16x8.narrow_i32x4_u (local.get $a) (local.get $a)))
        (v128.store32_lane 0 (local.get $out) (i8x16.narrow_i16x8_u (local.get $a) (local.get $a)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $signs (i32.add (local.get $signs) (i32.const 128)))
        (br $fours))))

  ;; The places of those of `count` distances, a multiple of 16, that are at most `limit`: `first` plus the place, u32 each,
  ;; to `out`. Returns how many.
  (func (export "collect")
    (param $distances i32) (param $count i32) (param $limit i32) (param $first i32) (param $out i32)
    (result i32)
    (local $end i32) (local $bits i32) (local $place i32) (local $most v128)
    (local.set $most (i8x16.splat (local.get $limit)))
    (local.set $place (local.get $out))
    (local.set $end (i32.add (local.get $distances) (local.get $count)))
    (block $done
      (loop $sixteens
        (br_if $done (i32.ge_u (local.get $distances) (local.get $end)))
        (local.set $bits (i8x16.bitmask (i8x16.le_u (v128.load (local.get $distances)) (local.get $most))))
        (block $none
          (loop $each
            (br_if $none (i32.eqz (local.get $bits)))
            (i32.store (local.get $place) (i32.add (local.get $first) (i32.ctz (local.get $bits))))
            (local.set $place (i32.add (local.get $place) (i32.const 4)))
            (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
            (br $each)))
        (local.set $first (i32.add (local.get $first) (i32.const 16)))
        (local.set $distances (i32.add (local.get $distances) (i32.const 16)))
        (br $sixteens)))
    (i32.shr_u (i32.sub (local.get $place) (local.get $out)) (i32.const 2)))

  ;; Dot products (i32) of the query (256 × i16) with the codes (256 × i8) at each of `count` addresses (u32). They take
  ;; the places of the addresses.
  (func (export "dots")
    (param $addresses i32) (param $count i32) (param $query i32)
    (local $end i32) (local $codes i32) (local $last i32) (local $part i32) (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $addresses) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $texts
        (br_if $done (i32.ge_u (local.get $addresses) (local.get $end)))
        (local.set $codes (i32.load (local.get $addresses)))
        (local.set $last (i32.add (local.get $codes) (i32.const 256)))
        (local.set $part (local.get $query))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (loop $codes
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load (local.get $part)) (v128.load8x8_s (local.get $codes)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $part)) (v128.load8x8_s offset=8 (local.get $codes)))))
          (local.set $part (i32.add (local.get $part) (i32.const 32)))
          (br_if $codes (i32.lt_u (local.tee $codes (i32.add (local.get $codes) (i32.const 16))) (local.get $last))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (local.set $a (i32x4.add (local.get $a)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
        (i32.store (local.get $addresses)
          (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a))))
        (local.set $addresses (i32.add (local.get $addresses) (i32.const 4)))
        (br $texts)))))
