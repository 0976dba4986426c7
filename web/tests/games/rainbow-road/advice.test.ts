// Every kind of move is an instruction, and is about the right spots.
import { expect, test } from "vitest";
import { aboutOf } from "../../../src/games/rainbow-road/choices";
import { hintText } from "../../../src/games/rainbow-road/text";
import { playLegal, rainLegal, rainWalk, say, toPlay, view } from "./views";
import { context } from "../../support/context";

const words = (text: string, at = view()): string => hintText(text, context({ view: at, seat: 0, say }));

test("every kind of move has its words", () => {
    expect(words("P7a5", toPlay)).toBe("Play the 7 to a5");
    expect(words("P7a4", toPlay)).toBe("Replace the 5 on a4 with the 7");
    expect(words("-")).toBe("Walk Rain on to b3");
    expect(words("stop")).toBe("Stop here");
    expect(words("jump+")).toBe("Play Jump: Rain to a2");
    const skips = view({ walk: { ...rainWalk, prank_hops: [{ move: "skip-", spot: "b2", points: 1 }] } });
    expect(words("skip-", skips)).toBe("Play Skip: Rain to b2");
    expect(words("exchange:a2,b2")).toBe("Swap the cards on a2 and b2");
    expect(words("trash:b3")).toBe("Trash the card on b3");
    expect(words("teleport:a5")).toBe("Teleport Rain to a5");
    expect(words("recycle:7>a3")).toBe("Bring a 7 back to a3");
});

test("legal moves all have words of their own", () => {
    for (const [legal, at] of [
        [rainLegal, view()],
        [playLegal, toPlay],
    ] as const) {
        const said = legal.map((move) => words(move, at));
        expect(new Set(said).size).toBe(legal.length);
        expect(said.filter((text) => text.includes("no message"))).toEqual([]);
    }
});

test("what is marked on the road", () => {
    expect(aboutOf("P7a5", null)).toEqual(["a5"]);
    expect(aboutOf("-", rainWalk)).toEqual(["b3"]);
    expect(aboutOf("jump+", rainWalk)).toEqual(["a2"]);
    expect(aboutOf("exchange:a2,b2", rainWalk)).toEqual(["a2", "b2"]);
    expect(aboutOf("recycle:7>a3", rainWalk)).toEqual(["#7", "a3"]);
    expect(aboutOf("stop", rainWalk)).toEqual([]);
});
