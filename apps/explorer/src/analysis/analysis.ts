import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { ApiError, type Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { type Answer, askEach } from "../fields/ask-each.ts";
import type { Field, FieldFault } from "../fields/read-fields.ts";
import { areaText } from "../geometry/geodesic.ts";
import { type MeasureChoice, measuresOf, type SchemaDocument } from "../series/measures.ts";
import { MAX_SERIES_KM2, type Reducer, spanDays } from "../series/request.ts";
import type { Explorer } from "../state/explorer.ts";
import { hasTooMany, type Interval } from "../statistics/request.ts";
import { parseMeasure } from "../view/analysis-view.ts";
import { type Answered, askSeries, askStatistics, type Question, type Result } from "./ask.ts";
import { placeOf } from "./places/places.ts";

/** A question and the places that it was asked about. */
export interface Asked {
  readonly question: Question;
  readonly places: readonly Field[];
}

/** A file of fields that was opened. */
export interface OpenedFile {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly faults: readonly FieldFault[];
}

/** Questions at a time: tiers allow two or more. */
const PARALLEL = 2;
/** The virtual collection of all optical sensors. */
export const ALL_SENSORS = "optical-sr";
const DEFAULT_INDEX = "ndvi";

/** Failures that all other questions would meet too. */
const ENDS_ALL = new Set([401, 403]);
const endsAll = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  ENDS_ALL.has(error.problem.status ?? 0) ||
  error.problem.status === undefined ||
  error.problem.code === "quota-exhausted";

/** The question about the place or the fields, and the answers so far. */
export class Analysis {
  readonly #explorer: Explorer;
  readonly file: Signal<OpenedFile | undefined> = signal(undefined);
  readonly reducer: Signal<Reducer> = signal("mean");
  readonly interval: Signal<Interval> = signal("P1M");
  readonly schema: Signal<SchemaDocument | undefined> = signal(undefined);
  readonly schemaProblem: Signal<Problem | undefined> = signal(undefined);
  readonly answers: Signal<ReadonlyMap<string, Answer<Result>>> = signal(new Map());
  /** The question that the answers are to, and the places it was asked about; absent before the first one. */
  readonly asked: Signal<Asked | undefined> = signal(undefined);
  /** Units that the answers cost. */
  readonly units: Signal<number> = signal(0);
  readonly isBusy: Signal<boolean> = signal(false);
  /** Tells whether the last question was stopped before its answers were all there. */
  readonly isStopped: Signal<boolean> = signal(false);
  readonly hasKey: Signal<boolean>;
  /** Id of the field that is looked at. */
  readonly chosen: Signal<string | undefined> = signal(undefined);
  /** Sensors that can be asked of: a collection id and its title. */
  readonly sensors: ReadonlySignal<readonly { readonly id: string; readonly title: string }[]>;
  readonly collection: ReadonlySignal<string>;
  readonly choices: ReadonlySignal<{
    readonly indices: readonly MeasureChoice[];
    readonly bands: readonly MeasureChoice[];
  }>;
  /** The choice of what to compute, as the address has it. */
  readonly measure: ReadonlySignal<string>;
  readonly places: ReadonlySignal<readonly Field[]>;
  readonly question: ReadonlySignal<Question | undefined>;
  #abort = new AbortController();

  constructor(explorer: Explorer) {
    this.#explorer = explorer;
    const { credentials } = explorer.api;
    this.hasKey = signal(credentials.hasOwn);
    credentials.onChange(() => {
      this.hasKey.value = credentials.hasOwn;
    });
    const { view } = explorer.store;
    this.sensors = computed(() => sensorsOf(explorer));
    this.collection = computed(() => {
      const known = this.sensors.value;
      return known.find(({ id }) => id === view.sensors.value)?.id ?? known[0]?.id ?? view.collection.value;
    });
    this.choices = computed(() => {
      const schema = this.schema.value;
      return schema === undefined ? { indices: [], bands: [] } : measuresOf(schema, this.collection.value);
    });
    this.measure = computed(() => this.#measure());
    this.places = computed(() => {
      const place = placeOf(view.point.value, view.area.value);
      return this.file.value?.fields ?? (place === undefined ? [] : [place]);
    });
    this.question = computed(() => this.#question());
  }

  /** The choice of the address where it can be computed, else that of the map's preset, NDVI, or the first there is. */
  #measure(): string {
    const { measure, preset } = this.#explorer.store.view;
    const { indices, bands } = this.choices.value;
    const known = [...indices, ...bands].map(({ value }) => value);
    const wanted = measure.value;
    if (wanted !== undefined && (wanted.startsWith("=") || known.includes(wanted))) return wanted;
    return [preset.value, DEFAULT_INDEX].find((id) => known.includes(id)) ?? known[0] ?? "";
  }

  #question(): Question | undefined {
    const { view } = this.#explorer.store;
    const measure = parseMeasure(this.measure.value);
    if (measure === undefined) return undefined;
    const days = spanDays(view.span.value ?? "P2Y", { from: view.from.value, to: view.to.value });
    const kind = view.numbers.value ?? "series";
    const shared = { kind, collection: this.collection.value, measure, ...days, cloud: view.cloud.value };
    const keepsClouds = view.clouds.value === "kept";
    return { ...shared, keepsClouds, reducer: this.reducer.value, interval: this.interval.value };
  }

  /** Loads what can be computed of which collection, once. */
  async loadSchema(): Promise<void> {
    if (this.schema.value !== undefined) return;
    this.schemaProblem.value = undefined;
    try {
      this.schema.value = await this.#explorer.api.json<SchemaDocument>("v1/schema", { need: "documents" });
    } catch (error) {
      this.schemaProblem.value = problemFrom(error);
    }
  }

  /** Cancels what runs; answers stay. */
  stop(): void {
    this.isStopped.value = this.isBusy.peek();
    this.#abort.abort();
  }

  /** Forgets the answers. */
  clear(): void {
    this.stop();
    this.#abort = new AbortController();
    batch(() => {
      this.isBusy.value = false;
      this.isStopped.value = false;
      this.answers.value = new Map();
      this.asked.value = undefined;
      this.units.value = 0;
    });
  }

  /**
   * Asks the question of all places, or only of those that have no answer to it yet. Of one place the answer before stays until the
   * next one is there.
   */
  async ask({ missing = false }: { readonly missing?: boolean } = {}): Promise<void> {
    const question = this.question.peek();
    if (question === undefined) return;
    this.stop();
    const abort = new AbortController();
    this.#abort = abort;
    const places = this.places.peek();
    const done = [...this.answers.peek()].filter(([, { state }]) => state === "done");
    const answers = new Map<string, Answer<Result>>(missing ? done : []);
    const isOne = places.length === 1;
    let units = missing ? this.units.peek() : 0;
    this.isBusy.value = true;
    this.isStopped.value = false;
    await askEach(
      places.filter(({ id }) => !answers.has(id)),
      {
        parallel: PARALLEL,
        signal: abort.signal,
        endsAll,
        ask: async (place, signal) => {
          const asked = await this.#askOne(question, place, signal);
          units += asked.units;
          return asked.result;
        },
        onAnswer: ({ id }, answer) => {
          answers.set(id, answer);
          const isEnd = answer.state === "done" || answer.state === "failed";
          if (this.#abort === abort && (isEnd || !isOne)) this.#show({ question, places }, answers, units);
        },
      },
    );
    if (this.#abort === abort) this.isBusy.value = false;
  }

  #show(asked: Asked, answers: ReadonlyMap<string, Answer<Result>>, units: number): void {
    batch(() => {
      this.asked.value = asked;
      this.answers.value = new Map(answers);
      this.units.value = units;
    });
  }

  async #askOne(question: Question, place: Field, signal: AbortSignal): Promise<Answered> {
    const fault = faultOf(question, place);
    if (fault !== undefined) throw new ApiError({ title: "This cannot be asked", detail: fault, status: 422 });
    const ask = question.kind === "series" ? askSeries : askStatistics;
    return ask(this.#explorer.api, question, place, signal);
  }
}

/** All optical sensors in one, where the service has that and the collection in view is one of them; and that collection. */
function sensorsOf({
  collections,
  collection: shown,
}: Explorer): readonly { readonly id: string; readonly title: string }[] {
  const { id, title } = shown.value;
  const all = collections.find((each) => each.id === ALL_SENSORS);
  const isMember = all !== undefined && (id === ALL_SENSORS || all["svc:members"]?.includes(id) === true);
  const alone = { id, title: title ?? id };
  if (!isMember) return [alone];
  const every = { id: ALL_SENSORS, title: "All optical sensors" };
  return id === ALL_SENSORS ? [every] : [every, alone];
}

/** Explains why a question cannot be asked of a place; undefined where it can. */
export function faultOf(question: Question, place: Field): string | undefined {
  if (question.kind === "series") {
    if (place.areaKm2 <= MAX_SERIES_KM2) return undefined;
    return `It has ${areaText(place.areaKm2)}; a curve is of at most ${MAX_SERIES_KM2} km². Statistics are of larger areas too.`;
  }
  if (place.geometry.type === "Point") return "Statistics are of areas: draw a polygon or a box.";
  if (hasTooMany(question.interval, question)) return "These dates have more than 400 intervals: choose longer ones.";
  return undefined;
}

const analyses = new WeakMap<Explorer, Analysis>();

/** The analysis of a page: the tab and the chart below the map share it. */
export function analysisOf(explorer: Explorer): Analysis {
  const known = analyses.get(explorer);
  if (known !== undefined) return known;
  const analysis = new Analysis(explorer);
  analyses.set(explorer, analysis);
  return analysis;
}
