// Sounds of paper and wood, synthesized by the browser; silent unless the setting is on. No sound tells anything alone.
import type { Sound } from "../board/contract";
import type { SettingsStore } from "./settings.svelte";

const SCALE = [523.25, 587.33, 659.25, 698.46, 783.99, 880, 987.77]; // a note for each hue

export class SoundPlayer {
    #audio: AudioContext | undefined;

    constructor(readonly settings: SettingsStore) {}

    get #context(): AudioContext {
        return (this.#audio ??= new AudioContext());
    }

    /**
     * Play a sound. `pitch` is the note if there are several, the length of a slide in ms, or below 0 for bad weather.
     */
    play(sound: Sound, pitch = 0): void {
        if (!this.settings.choices.sound) return;
        if (this.#context.state === "suspended") void this.#context.resume();
        const at = this.#context.currentTime;
        switch (sound) {
            case "pick":
            case "tick":
                return this.#noise(at, 0.012, 3200, 0.18);
            case "land":
                return this.#noise(at, 0.04, 420, 0.4);
            case "flip":
                this.#noise(at, 0.03, 2400, 0.2);
                return this.#noise(at + 0.07, 0.04, 1500, 0.25);
            case "slide":
                return this.#noise(at, pitch ? pitch / 1000 : 0.18, 900, 0.15);
            case "hop":
                return this.#note(at, (SCALE[pitch % 7] ?? 523) / 2, 0.12, 0.25, "triangle");
            case "weather":
                return this.#brush(at, 0.28, pitch < 0 ? [1800, 500] : [500, 1800], 0.2);
            case "clash":
                return this.#note(at, 98, 0.35, 0.4, "sine");
            case "place":
                return this.#note(at, 330 + 110 * pitch, 0.05, 0.25, "square");
            case "late":
                return this.#note(at, 330 + 110 * pitch, 0.09, 0.08, "square", true);
            case "turn":
                this.#note(at, SCALE[2] ?? 659, 0.12, 0.18, "sine");
                return this.#note(at + 0.13, SCALE[4] ?? 784, 0.2, 0.18, "sine");
            case "rainbow":
                return SCALE.forEach((pitch, i) => this.#note(at + i * 0.09, pitch, 0.22, 0.16, "triangle"));
        }
    }

    #envelope(at: number, length: number, loud: number, backwards = false): GainNode {
        const gain = this.#context.createGain();
        gain.gain.setValueAtTime(0, at);
        if (backwards) {
            gain.gain.linearRampToValueAtTime(loud, at + length * 0.9);
            gain.gain.linearRampToValueAtTime(0, at + length);
        } else {
            gain.gain.linearRampToValueAtTime(loud, at + Math.min(0.008, length / 4));
            gain.gain.exponentialRampToValueAtTime(0.001, at + length);
        }
        gain.connect(this.#context.destination);
        return gain;
    }

    #note(
        at: number,
        pitch: number,
        length: number,
        loud: number,
        wave: OscillatorType,
        backwards = false,
    ): void {
        const source = this.#context.createOscillator();
        source.type = wave;
        source.frequency.value = pitch;
        source.connect(this.#envelope(at, length, loud, backwards));
        source.start(at);
        source.stop(at + length);
    }

    #noise(at: number, length: number, pitch: number, loud: number): void {
        this.#brush(at, length, [pitch, pitch], loud);
    }

    #brush(at: number, length: number, [from, to]: [number, number], loud: number): void {
        const { sampleRate } = this.#context;
        const buffer = this.#context.createBuffer(1, Math.ceil(sampleRate * length), sampleRate);
        const data = buffer.getChannelData(0);
        for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
        const source = this.#context.createBufferSource();
        source.buffer = buffer;
        const filter = this.#context.createBiquadFilter();
        filter.type = "bandpass";
        filter.frequency.setValueAtTime(from, at);
        filter.frequency.linearRampToValueAtTime(to, at + length);
        source.connect(filter).connect(this.#envelope(at, length, loud));
        source.start(at);
    }
}
