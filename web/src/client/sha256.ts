// SHA-256 of bytes, as hexadecimal digits. Browsers lend theirs only to pages served over https or from this machine,
// and a table in a living room is neither.
const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(bytes: Uint8Array): string {
    const padded = new Uint8Array((((bytes.length + 8) >> 6) << 6) + 64);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, bytes.length << 3);

    const hash = Int32Array.from(START);
    const words = new Int32Array(64);
    const w = (at: number): number => words[at] as number;
    for (let block = 0; block < padded.length; block += 64) {
        for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
        for (let i = 16; i < 64; i++) {
            const low = turn(w(i - 15), 7) ^ turn(w(i - 15), 18) ^ (w(i - 15) >>> 3);
            const high = turn(w(i - 2), 17) ^ turn(w(i - 2), 19) ^ (w(i - 2) >>> 10);
            words[i] = w(i - 16) + low + w(i - 7) + high;
        }
        let [a, b, c, d, e, f, g, h] = hash as unknown as [
            number,
            number,
            number,
            number,
            number,
            number,
            number,
            number,
        ];
        for (let i = 0; i < 64; i++) {
            const one =
                h +
                (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                ((e & f) ^ (~e & g)) +
                (ROUND[i] as number) +
                w(i);
            const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
        }
        [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i] as number) + word));
    }
    return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
