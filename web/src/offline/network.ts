// The forward pass of a network, in typed arrays: what `sevenhues.nets.network` does with NumPy.

/** Features of an observation: how many numbers, the highest, and 1 if each is one-hot encoded. */
type Feature = [size: number, high: number, oneHot: number];

interface Layer {
    weights: Float32Array; // a row for each input
    bias: Float32Array;
}

export class Network {
    readonly #layers: Layer[] = [];
    readonly #output: Layer;

    /** `arrays` names the arrays with their shapes, as JSON; `numbers` has them in half precision, in Base64. */
    constructor(arrays: string, numbers: string) {
        const bytes = Uint8Array.from(atob(numbers), (letter) => letter.charCodeAt(0));
        const halves = new DataView(bytes.buffer);
        const found = new Map<string, Float32Array>();
        let at = 0;
        for (const [name, shape] of JSON.parse(arrays) as [string, number[]][]) {
            const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
            for (let i = 0; i < values.length; i++, at += 2) values[i] = fromHalf(halves.getUint16(at, true));
            found.set(name, values);
        }
        const layer = (weights: string, bias: string): Layer => {
            const [rows, column] = [found.get(weights), found.get(bias)];
            if (!rows || !column) throw new Error(`the network has no ${weights} or no ${bias}`);
            return { weights: rows, bias: column };
        };
        for (let i = 0; found.has(`w${i}`); i++) this.#layers.push(layer(`w${i}`, `b${i}`));
        this.#output = layer("out", "bias");
    }

    /** Return the logits and the value for each observation: JSON lists, as `DeviceNetwork` describes them. */
    evaluate(features: string, observations: string): string {
        const described = JSON.parse(features) as Feature[];
        const logits: number[][] = [];
        const values: number[] = [];
        for (const observation of JSON.parse(observations) as number[][]) {
            const both = this.#run(described, observation);
            logits.push(Array.from(both.subarray(0, -1)));
            values.push(Math.tanh(both[both.length - 1] ?? 0));
        }
        return JSON.stringify([logits, values]);
    }

    #run(features: Feature[], observation: number[]): Float32Array {
        const [first, ...others] = this.#layers;
        if (!first) throw new Error("the network has no layers");
        const hidden = first.bias.slice();
        readInputs(features, observation, (input, value) => addRow(hidden, first, input, value));
        keepPositive(hidden);
        for (const layer of others) {
            const change = product(layer, hidden);
            keepPositive(change);
            for (let i = 0; i < hidden.length; i++) hidden[i] = (hidden[i] ?? 0) + (change[i] ?? 0);
        }
        return product(this.#output, hidden);
    }
}

/** Call a function with every input of an observation that is not 0: see `sevenhues.nets.encoding`. */
function readInputs(
    features: Feature[],
    observation: number[],
    add: (input: number, value: number) => void,
): void {
    let at = 0;
    let input = 0;
    for (const [size, high, oneHot] of features) {
        for (let i = 0; i < size; i++, at++) {
            const number = observation[at] ?? 0;
            if (oneHot) {
                if (number <= high) add(input + number, 1);
                input += high + 1;
            } else {
                if (number) add(input, Math.fround(number * Math.fround(1 / Math.max(high, 1))));
                input += 1;
            }
        }
    }
}

function product(layer: Layer, inputs: Float32Array): Float32Array {
    const sums = layer.bias.slice();
    for (let i = 0; i < inputs.length; i++) {
        const value = inputs[i] ?? 0;
        if (value !== 0) addRow(sums, layer, i, value);
    }
    return sums;
}

/** Add a multiple of an input's row of weights. */
function addRow(sums: Float32Array, layer: Layer, input: number, factor: number): void {
    const { weights } = layer;
    const width = sums.length;
    for (let i = 0, at = input * width; i < width; i++, at++) sums[i]! += factor * weights[at]!;
}

function keepPositive(numbers: Float32Array): void {
    for (let i = 0; i < numbers.length; i++) numbers[i] = Math.max(numbers[i] ?? 0, 0);
}

/** Convert the bits of a half-precision number. */
function fromHalf(bits: number): number {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0) return sign * 2 ** -24 * fraction;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}
