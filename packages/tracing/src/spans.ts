import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** The part that the work of a span has in an exchange: the one who asks or answers, sends or takes a job; else neither. */
export type SpanRole = "internal" | "server" | "client" | "producer" | "consumer";

const KINDS: Readonly<Record<SpanRole, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Names and values of a span. */
export type SpanFacts = Attributes;

/** Options of a span. */
export interface SpanOptions {
  /** Default `internal`. */
  readonly role?: SpanRole;
  readonly facts?: SpanFacts;
  /**
   * The span of another process that this one belongs to, as the header `traceparent` (W3C Trace Context) writes it. Text
   * that is none begins a trace of its own. Absent: the span that is active here.
   */
  readonly parent?: string | undefined;
}

/** A span that has begun, told more about its work. */
export interface OpenSpan {
  /** Whether what it is told is kept: false where traces are off, and where this one is not sampled. */
  readonly isRecording: boolean;
  /** 32 hexadecimal digits; undefined where it is not recorded. */
  readonly traceId?: string;
  rename(name: string): void;
  add(facts: SpanFacts): void;
  /** Its work went wrong, without an error that was thrown. */
  fail(reason: string): void;
}

const SILENT: OpenSpan = { isRecording: false, rename() {}, add() {}, fail() {} };
const tracer = () => trace.getTracer("swath");

function openSpan(span: Span): OpenSpan {
  return {
    isRecording: true,
    traceId: span.spanContext().traceId,
    rename: (name) => void span.updateName(name),
    add: (facts) => void span.setAttributes(facts),
    fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
  };
}

function contextOf(parent: string | undefined): Context {
  return parent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}

/**
 * Does work as a span: what it begins meanwhile, through all that it awaits, belongs to it. Where traces are off, and where
 * this one is not sampled, it only does the work.
 *
 * @throws what the work throws, which the span notes by its name alone: messages may hold what clients sent.
 */
export async function traced<T>(
  name: string,
  { role = "internal", facts, parent }: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const around = contextOf(parent);
  const span = tracer().startSpan(
    name,
    { kind: KINDS[role], ...(facts === undefined ? {} : { attributes: facts }) },
    around,
  );
  try {
    return await context.with(
      trace.setSpan(around, span),
      work,
      undefined,
      span.isRecording() ? openSpan(span) : SILENT,
    );
  } catch (error) {
    const type = error instanceof Error ? error.name : typeof error;
    span.setAttribute("error.type", type);
    span.setStatus({ code: SpanStatusCode.ERROR, message: type });
    throw error;
  } finally {
    span.end();
  }
}

/** The active span as the header `traceparent` writes it, for a job or a request to another process; undefined without one. */
export function activeParent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Work that another thread has measured, as plain data. */
export interface MeasuredSpan {
  readonly name: string;
  readonly role?: SpanRole;
  /** Epoch milliseconds, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly facts?: SpanFacts;
  /** The reason for which it went wrong. */
  readonly fault?: string;
  readonly parts?: readonly MeasuredSpan[];
}

/** Takes spans that another thread has measured, as parts of the span that was active where it was made. */
export type SpanReceiver = (span: MeasuredSpan) => void;

function receive(
  { name, role = "internal", start, end, facts, fault, parts = [] }: MeasuredSpan,
  around: Context,
): void {
  const attributes = facts === undefined ? {} : { attributes: facts };
  const span = tracer().startSpan(name, { kind: KINDS[role], startTime: start, ...attributes }, around);
  if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
  for (const part of parts) receive(part, trace.setSpan(around, span));
  span.end(end);
}

/** Takes what other threads measure for the active span; undefined where that is not recorded, so that nobody need measure. */
export function spanReceiver(): SpanReceiver | undefined {
  const around = context.active();
  if (trace.getSpan(around)?.isRecording() !== true) return undefined;
  return (span) => receive(span, around);
}
