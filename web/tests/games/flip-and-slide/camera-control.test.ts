// The camera knows whether the whole patch is in view.
import { expect, test } from "vitest";
import { CameraControl } from "../../../src/games/flip-and-slide/camera-control.svelte";

const NO_INSETS = { top: 0, right: 0, bottom: 0, left: 0 };

test("the patch fits until somebody zooms or pans, and again on request", () => {
    const control = new CameraControl();
    control.resize({ width: 600, height: 400 }, NO_INSETS);
    control.see(["0,0", "1,0", "2,0"], null);
    expect(control.fits).toBe(true);
    control.step(true);
    expect(control.fits).toBe(false);
    control.fit();
    expect(control.fits).toBe(true);
    control.pan(30, 0);
    expect(control.fits).toBe(false);
});
