// The types of the wire by short names. `schema.d.ts` is generated from the server's schema: `make types`.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Analysis = Schemas["Analysis"];
export type AnalysisReport = Schemas["AnalysisReport"];
export type Beliefs = Schemas["Beliefs"];
export type BranchRequest = Schemas["BranchRequest"];
export type Clock = Schemas["Clock"];
export type Frame = Schemas["Frame"];
export type FromClient = Schemas["FromClient"];
export type FromServer = Schemas["FromServer"];
export type GameInfo = Schemas["GameInfo"];
export type GameRating = Schemas["GameRating"];
export type Hints = Schemas["Hints"];
export type LeaderboardEntry = Schemas["LeaderboardEntry"];
export type Lesson = Schemas["Lesson"];
export type LessonAnswer = Schemas["LessonAnswer"];
export type LessonFrame = Schemas["LessonFrame"];
export type LessonStep = Schemas["LessonStep"];
export type LessonTry = Schemas["LessonTry"];
export type LessonTurn = Schemas["LessonTurn"];
export type Me = Schemas["Me"];
export type Moved = Schemas["Moved"];
export type NewTable = Schemas["NewTable"];
export type Problem = Schemas["Problem"]; // the body of an error
export type Profile = Schemas["Profile"];
export type Proof = Schemas["Proof"];
export type RaceReport = Schemas["RaceReport"];
export type RatedGame = Schemas["RatedGame"];
export type Refused = Schemas["Refused"];
export type Replay = Schemas["Replay"];
export type Result = Schemas["Result"];
export type SeatInfo = Schemas["SeatInfo"];
export type SeatRequest = Schemas["SeatRequest"];
export type SeatView = Schemas["SeatView"];
export type TableInfo = Schemas["TableInfo"];
export type TableRatings = Schemas["TableRatings"];
export type TextView = Schemas["TextView"];
export type TransferCode = Schemas["TransferCode"];
export type Unrated = NonNullable<TableInfo["unrated"]>;
export type Update = Schemas["Update"];
export type OptionValue = TableInfo["options"][string];
