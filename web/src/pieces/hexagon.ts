// The outline of a hexagon with rounded corners, one corner up.
import { r1 } from "./print";

export function hexagon(x: number, y: number, radius: number, round: number): string {
    const corners = Array.from({ length: 6 }, (_, i) => {
        const angle = (Math.PI / 3) * i - Math.PI / 2;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
    });
    const toward = (from: readonly [number, number], to: readonly [number, number]): string => {
        const part = round / radius;
        return `${r1(from[0] + (to[0] - from[0]) * part)} ${r1(from[1] + (to[1] - from[1]) * part)}`;
    };
    const sides = corners.map((corner, i) => {
        const previous = corners[(i + 5) % 6]!;
        const next = corners[(i + 1) % 6]!;
        return `${i ? "L" : "M"}${toward(corner, previous)}Q${r1(corner[0])} ${r1(corner[1])} ${toward(corner, next)}`;
    });
    return `${sides.join("")}Z`;
}
