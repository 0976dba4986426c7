// How far apart colours are: CIEDE2000, after colour-vision deficiencies are simulated, and in greyscale.
type Vec = readonly [number, number, number];
type Matrix = readonly [Vec, Vec, Vec];

export type Eyes = "normal" | "protan" | "deutan" | "tritan" | "grey";

const XYZ: Matrix = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.072175],
    [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Vec = [0.95047, 1, 1.08883];

const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const apply = (m: Matrix, v: Vec): Vec => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
const column = (m: Matrix, i: 0 | 1 | 2): Vec => [m[0][i], m[1][i], m[2][i]];
const times = (a: Matrix, b: Matrix): Matrix => {
    const row = (r: Vec): Vec => [dot(r, column(b, 0)), dot(r, column(b, 1)), dot(r, column(b, 2))];
    return [row(a[0]), row(a[1]), row(a[2])];
};
const cross = (a: Vec, b: Vec): Vec => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];
function inverse(m: Matrix): Matrix {
    const rows = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])] as const;
    const determinant = dot(m[0], rows[0]);
    const part = (i: 0 | 1 | 2): Vec => [
        rows[0][i] / determinant,
        rows[1][i] / determinant,
        rows[2][i] / determinant,
    ];
    return [part(0), part(1), part(2)];
}
const clip = (v: Vec): Vec => [
    Math.min(1, Math.max(0, v[0])),
    Math.min(1, Math.max(0, v[1])),
    Math.min(1, Math.max(0, v[2])),
];

function linear(hex: string): Vec {
    const part = (at: number): number => {
        const c = parseInt(hex.slice(at, at + 2), 16) / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    };
    return [part(1), part(3), part(5)];
}

/** Machado, Oliveira, Fernandes 2009, at full severity. */
const MACHADO: Record<"protan" | "deutan" | "tritan", Matrix> = {
    protan: [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    deutan: [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    tritan: [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
};

/** Brettel, Viénot, Mollon 1997: colours fall onto two half planes through the greys, each with an anchor in the spectrum. */
const LMS: Matrix = [
    [0.17886, 0.43997, 0.03597],
    [0.0338, 0.27515, 0.03621],
    [0.00031, 0.00192, 0.01528],
];
const ANCHORS: Record<"protan" | "deutan" | "tritan", { missing: 0 | 1 | 2; near: Vec; far: Vec }> = {
    protan: { missing: 0, near: [0.1421, 0.1126, 1.0419], far: [0.8425, 0.9154, 0.0018] },
    deutan: { missing: 1, near: [0.1421, 0.1126, 1.0419], far: [0.8425, 0.9154, 0.0018] },
    tritan: { missing: 2, near: [0.05795, 0.1693, 0.6162], far: [0.1649, 0.061, 0] },
};

function brettel(colour: Vec, kind: "protan" | "deutan" | "tritan"): Vec {
    const { missing, near, far } = ANCHORS[kind];
    const fromXyz = times(LMS, inverse(XYZ));
    const white = apply(LMS, [1, 1, 1]);
    const axis: Vec = [missing === 0 ? 1 : 0, missing === 1 ? 1 : 0, missing === 2 ? 1 : 0];
    const divide = cross(white, axis);
    const side = dot(divide, apply(LMS, colour)) * Math.sign(dot(divide, apply(fromXyz, near)));
    const normal = cross(white, apply(fromXyz, side >= 0 ? near : far));
    const lms = [...apply(LMS, colour)] as [number, number, number];
    let sum = 0;
    for (const i of [0, 1, 2] as const) if (i !== missing) sum -= normal[i] * lms[i];
    lms[missing] = sum / normal[missing];
    return clip(apply(inverse(LMS), lms));
}

function seen(colour: Vec, eyes: Eyes): Vec[] {
    if (eyes === "normal") return [colour];
    if (eyes === "grey") {
        const y = dot(XYZ[1], colour);
        return [[y, y, y]];
    }
    return [clip(apply(MACHADO[eyes], colour)), brettel(colour, eyes)];
}

function lab(colour: Vec): Vec {
    const xyz = apply(XYZ, colour);
    const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    const [x, y, z] = [f(xyz[0] / WHITE[0]), f(xyz[1] / WHITE[1]), f(xyz[2] / WHITE[2])];
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const degrees = (radians: number): number => ((radians * 180) / Math.PI + 360) % 360;
const cosine = (angle: number): number => Math.cos((angle * Math.PI) / 180);

/** CIEDE2000. */
export function difference(one: Vec, other: Vec): number {
    const c7 = ((Math.hypot(one[1], one[2]) + Math.hypot(other[1], other[2])) / 2) ** 7;
    const g = 0.5 * (1 - Math.sqrt(c7 / (c7 + 25 ** 7)));
    const [a1, a2] = [(1 + g) * one[1], (1 + g) * other[1]];
    const [c1, c2] = [Math.hypot(a1, one[2]), Math.hypot(a2, other[2])];
    const [h1, h2] = [degrees(Math.atan2(one[2], a1)), degrees(Math.atan2(other[2], a2))];
    const grey = c1 * c2 === 0;
    let dh = h2 - h1;
    if (dh > 180) dh -= 360;
    else if (dh < -180) dh += 360;
    if (grey) dh = 0;
    const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh * Math.PI) / 360);
    let h = h1 + h2;
    if (!grey) h = Math.abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
    const [l, c] = [(one[0] + other[0]) / 2, (c1 + c2) / 2];
    const t =
        1 -
        0.17 * cosine(h - 30) +
        0.24 * cosine(2 * h) +
        0.32 * cosine(3 * h + 6) -
        0.2 * cosine(4 * h - 63);
    const rc = 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
    const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
    const [sc, sh] = [1 + 0.045 * c, 1 + 0.015 * c * t];
    const rt = -Math.sin((60 * Math.exp(-(((h - 275) / 25) ** 2)) * Math.PI) / 180) * rc;
    const [dl, dc] = [(other[0] - one[0]) / sl, (c2 - c1) / sc];
    return Math.sqrt(dl ** 2 + dc ** 2 + (dH / sh) ** 2 + rt * dc * (dH / sh));
}

/** The smallest distance between any two colours of a set, the worse of the simulations. */
export function closest(hexes: readonly string[], eyes: Eyes): number {
    let least = Infinity;
    for (const [i, one] of hexes.entries()) {
        for (const other of hexes.slice(i + 1)) {
            const [here, there] = [seen(linear(one), eyes), seen(linear(other), eyes)];
            here.forEach((colour, model) => {
                least = Math.min(least, difference(lab(colour), lab(there[model]!)));
            });
        }
    }
    return least;
}

/** WCAG's ratio. */
export function contrast(one: string, other: string): number {
    const [a, b] = [dot(XYZ[1], linear(one)), dot(XYZ[1], linear(other))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
