// node scripts/blake3-wasm.js [FILE]: generates the WebAssembly that hashes uploads, subgraphs/sync/blake3/lanes.wasm.
// BLAKE3 with SIMD: four leaves or four parents are hashed at once, one in each 32-bit lane. Names follow the
// BLAKE3 paper: https://github.com/BLAKE3-team/BLAKE3-specs/blob/master/blake3.pdf, sections 2.1 to 2.5.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const ROUNDS = 7;
/** State words of each mixing: four columns, then four diagonals. */
const MIXINGS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];
const BLOCK_BYTES = 64;
const LEAF_BYTES = 1024;
const VALUE_BYTES = 32;
const LANES = 4;

const upTo = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const lines = (count, make) => upTo(count, make).join('\n');
const get = (name) => `(local.get $${name})`;
const set = (name, value) => `(local.set $${name} ${value})`;
const splat = (number) => `(v128.const i32x4 ${number} ${number} ${number} ${number})`;
const add = (left, right) => `(i32x4.add ${left} ${right})`;
const xor = (left, right) => `(v128.xor ${left} ${right})`;

/** Builds a vector from 32-bit words of two vectors. */
function shuffleWords(words, left, right) {
  return `(i8x16.shuffle ${words.flatMap((word) => upTo(4, (byte) => word * 4 + byte)).join(' ')} ${left} ${right})`;
}

/** Rotates each lane right. A rotation by whole bytes is a shuffle. */
function rotateRight(value, bits) {
  const kept = `(local.tee $t ${value})`;
  if (bits % 8 !== 0) {
    return `(v128.or (i32x4.shr_u ${kept} (i32.const ${bits})) (i32x4.shl ${get('t')} (i32.const ${32 - bits})))`;
  }
  const bytes = upTo(16, (byte) => (byte & 12) + ((byte + bits / 8) & 3));
  return `(i8x16.shuffle ${bytes.join(' ')} ${kept} ${get('t')})`;
}

/** Generates the quarter round on state words a, b, c, d with two message words. */
function mix([a, b, c, d], first, second) {
  const half = (word, rotateD, rotateB) => [
    set(`v${a}`, add(add(get(`v${a}`), get(`v${b}`)), get(`m${word}`))),
    set(`v${d}`, rotateRight(xor(get(`v${d}`), get(`v${a}`)), rotateD)),
    set(`v${c}`, add(get(`v${c}`), get(`v${d}`))),
    set(`v${b}`, rotateRight(xor(get(`v${b}`), get(`v${c}`)), rotateB)),
  ];
  return [...half(first, 16, 12), ...half(second, 8, 7)].join('\n');
}

/** Compresses the values h0…h7 with the message words m0…m15 of each lane, into h0…h7. */
function compress(counter, length, flags) {
  const order = upTo(ROUNDS - 1, (round) => round).reduce(
    (rounds) => [...rounds, PERMUTATION.map((place) => rounds.at(-1)[place])],
    [upTo(16, (word) => word)],
  );
  const rounds = order.flatMap((words) => MIXINGS.map((mixing, i) => mix(mixing, words[2 * i], words[2 * i + 1])));
  return `
    ${lines(8, (i) => set(`v${i}`, get(`h${i}`)))}
    ${lines(4, (i) => set(`v${8 + i}`, splat(IV[i])))}
    ${set('v12', counter)} ${set('v13', splat(0))} ${set('v14', length)} ${set('v15', flags)}
    ${rounds.join('\n')}
    ${lines(8, (i) => set(`h${i}`, xor(get(`v${i}`), get(`v${8 + i}`))))}`;
}

/** Transposes four vectors as a 4 × 4 matrix. */
function transpose([a, b, c, d]) {
  return `
    ${set('t', shuffleWords([0, 4, 1, 5], get(a), get(b)))} ${set('u', shuffleWords([2, 6, 3, 7], get(a), get(b)))}
    ${set('w', shuffleWords([0, 4, 1, 5], get(c), get(d)))} ${set('x', shuffleWords([2, 6, 3, 7], get(c), get(d)))}
    ${set(a, shuffleWords([0, 1, 4, 5], get('t'), get('w')))} ${set(b, shuffleWords([2, 3, 6, 7], get('t'), get('w')))}
    ${set(c, shuffleWords([0, 1, 4, 5], get('u'), get('x')))} ${set(d, shuffleWords([2, 3, 6, 7], get('u'), get('x')))}`;
}

/** Loads one block per lane into m0…m15. The first is at $p, the others follow at this stride in bytes. */
function loadBlocks(stride) {
  return lines(4, (quarter) => {
    const words = upTo(LANES, (lane) => `m${quarter * 4 + lane}`);
    const loads = words.map((word, lane) =>
      set(word, `(v128.load offset=${lane * stride + quarter * 16} ${get('p')})`),
    );
    return `${loads.join('\n')} ${transpose(words)}`;
  });
}

/** Stores the values of the lanes at $out, one after the other. */
function storeValues() {
  const stores = upTo(LANES, (lane) =>
    [lane, lane + 4].map(
      (half, i) => `(v128.store offset=${lane * VALUE_BYTES + i * 16} ${get('out')} ${get(`h${half}`)})`,
    ),
  );
  return `${transpose(['h0', 'h1', 'h2', 'h3'])} ${transpose(['h4', 'h5', 'h6', 'h7'])} ${stores.flat().join('\n')}`;
}

const move = (name, bytes) => set(name, `(i32.add ${get(name)} (i32.const ${bytes}))`);
const NEXT_GROUP = `(br_if $group (i32.gt_s (local.tee $n (i32.sub ${get('n')} (i32.const ${LANES}))) (i32.const 0)))`;
const LOCALS = [
  '(local $p i32) (local $b i32) (local $f i32) (local $c v128)',
  ...['t', 'u', 'w', 'x'].map((name) => `(local $${name} v128)`),
  ...upTo(8, (i) => `(local $h${i} v128)`),
  ...upTo(16, (i) => `(local $v${i} v128) (local $m${i} v128)`),
].join(' ');

/** Hashes n consecutive whole leaves. $counter is the index of the first one in the file. The last group is always computed whole. */
const LEAVES = `
  (func (export "leaves") (param $in i32) (param $n i32) (param $counter i32) (param $out i32) ${LOCALS}
    ${set('c', `(i32x4.add (i32x4.splat ${get('counter')}) (v128.const i32x4 0 1 2 3))`)}
    (loop $group
      ${lines(8, (i) => set(`h${i}`, splat(IV[i])))}
      ${set('b', '(i32.const 0)')} ${set('p', get('in'))}
      (loop $block
        ${loadBlocks(LEAF_BYTES)}
        ;; CHUNK_START on the first block, CHUNK_END on the last
        ${set('f', `(i32.add (i32.eqz ${get('b')}) (i32.shl (i32.eq ${get('b')} (i32.const 15)) (i32.const 1)))`)}
        ${compress(get('c'), splat(BLOCK_BYTES), `(i32x4.splat ${get('f')})`)}
        ${move('p', BLOCK_BYTES)}
        (br_if $block (i32.lt_u (local.tee $b (i32.add ${get('b')} (i32.const 1))) (i32.const 16))))
      ${storeValues()}
      ${set('c', add(get('c'), splat(LANES)))} ${move('in', LANES * LEAF_BYTES)} ${move('out', LANES * VALUE_BYTES)}
      ${NEXT_GROUP}))`;

/** Compresses n consecutive blocks, each from the value at $start: parents, or a block of a partial leaf. */
const BLOCKS = `
  (func (export "blocks") (param $in i32) (param $n i32) (param $start i32)
    (param $counter i32) (param $length i32) (param $flags i32) (param $out i32) ${LOCALS}
    (loop $group
      ${lines(8, (i) => set(`h${i}`, `(v128.load32_splat offset=${i * 4} ${get('start')})`))}
      ${set('p', get('in'))} ${loadBlocks(BLOCK_BYTES)}
      ${compress(...['counter', 'length', 'flags'].map((name) => `(i32x4.splat ${get(name)})`))}
      ${storeValues()}
      ${move('in', LANES * BLOCK_BYTES)} ${move('out', LANES * VALUE_BYTES)}
      ${NEXT_GROUP}))`;

const tools = await wabt();
const source = `(module (import "lanes" "memory" (memory 1)) ${LEAVES} ${BLOCKS})`;
const parsed = tools.parseWat('lanes.wat', source, { simd: true });
const file = process.argv[2] ?? fileURLToPath(new URL('../subgraphs/sync/blake3/lanes.wasm', import.meta.url));
await writeFile(file, parsed.toBinary({}).buffer);
