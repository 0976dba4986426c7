// Sounds of paper and wood, made by the browser; silent unless the setting asks for them. Never the only carrier of anything.
import type { Sound } from "../board/contract";
import { settings } from "./settings.svelte";

const SCALE = [523.25, 587.33, 659.25, 698.46, 783.99, 880, 987.77]; // a note for each hue
let context: AudioContext | null = null;

/**
 * Plays a sound. `pitch` is the note where there are several (a hop's card, a stack's place), how long a slide takes
 * in ms, and for the weather whether it brightens or falls (below 0).
 */
export function play(sound: Sound, pitch = 0): void {
    if (!settings.choices.sound) return;
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    const at = context.currentTime;
    switch (sound) {
        case "pick":
        case "tick":
            return noise(at, 0.012, 3200, 0.18);
        case "land":
            return noise(at, 0.04, 420, 0.4);
        case "flip":
            noise(at, 0.03, 2400, 0.2);
            return noise(at + 0.07, 0.04, 1500, 0.25);
        case "slide":
            return noise(at, pitch ? pitch / 1000 : 0.18, 900, 0.15);
        case "hop":
            return note(at, (SCALE[pitch % 7] ?? 523) / 2, 0.12, 0.25, "triangle");
        case "weather":
            return brush(at, 0.28, pitch < 0 ? [1800, 500] : [500, 1800], 0.2);
        case "clash":
            return note(at, 98, 0.35, 0.4, "sine");
        case "place":
            return note(at, 330 + 110 * pitch, 0.05, 0.25, "square");
        case "late":
            return note(at, 330 + 110 * pitch, 0.09, 0.08, "square", true);
        case "turn":
            note(at, SCALE[2] ?? 659, 0.12, 0.18, "sine");
            return note(at + 0.13, SCALE[4] ?? 784, 0.2, 0.18, "sine");
        case "rainbow":
            return SCALE.forEach((pitch, i) => note(at + i * 0.09, pitch, 0.22, 0.16, "triangle"));
    }
}

function envelope(at: number, length: number, loud: number, backwards = false): GainNode {
    const gain = (context as AudioContext).createGain();
    gain.gain.setValueAtTime(0, at);
    if (backwards) {
        gain.gain.linearRampToValueAtTime(loud, at + length * 0.9);
        gain.gain.linearRampToValueAtTime(0, at + length);
    } else {
        gain.gain.linearRampToValueAtTime(loud, at + Math.min(0.008, length / 4));
        gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    }
    gain.connect((context as AudioContext).destination);
    return gain;
}

function note(
    at: number,
    pitch: number,
    length: number,
    loud: number,
    wave: OscillatorType,
    backwards = false,
): void {
    const source = (context as AudioContext).createOscillator();
    source.type = wave;
    source.frequency.value = pitch;
    source.connect(envelope(at, length, loud, backwards));
    source.start(at);
    source.stop(at + length);
}

function noise(at: number, length: number, pitch: number, loud: number): void {
    brush(at, length, [pitch, pitch], loud);
}

function brush(at: number, length: number, [from, to]: [number, number], loud: number): void {
    const { sampleRate } = context as AudioContext;
    const buffer = (context as AudioContext).createBuffer(1, Math.ceil(sampleRate * length), sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
    const source = (context as AudioContext).createBufferSource();
    source.buffer = buffer;
    const filter = (context as AudioContext).createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.setValueAtTime(from, at);
    filter.frequency.linearRampToValueAtTime(to, at + length);
    source.connect(filter).connect(envelope(at, length, loud));
    source.start(at);
}
