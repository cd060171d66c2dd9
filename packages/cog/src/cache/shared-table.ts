import { SEQUENTIAL, SPARE } from "./block-store.ts";

/** Shared memory with the decoded blocks of all threads of a process: plain data, passed to each of them. */
export interface SharedBlocks {
  readonly maxBytes: number;
  /** Threads that read at the same time. */
  readonly threads: number;
  /** @internal The table: 32-bit words of entries and pages. */
  readonly words: SharedArrayBuffer;
  /** @internal Keys of the entries, UTF-16. */
  readonly keys: SharedArrayBuffer;
  /** @internal 1 where a page is taken. */
  readonly pages: SharedArrayBuffer;
  /** @internal The blocks. */
  readonly arenas: readonly SharedArrayBuffer[];
}

/** Threads at most: each has a bit in every entry. */
export const MAX_THREADS = 256;
/** Bytes of a page: blocks take runs of whole pages. */
const PAGE = 16_384;
/** Bytes of an arena at most. */
const ARENA_BYTES = 1 << 30;
/** Bytes of memory per entry: most blocks are larger. */
const ENTRY_BYTES = 65_536;
/** Characters of the longest key; blocks of files with longer names are not kept. */
const KEY_LENGTH = 2_000;

// words before the entries
const LOCK = 0;
const CLOCK = 1;
const USED_PAGES = 2;
const SEQUENTIAL_PAGES = 3;
/** No page before this one is free. */
const LOWEST = 4;
const HEAD = 16;

// words of an entry
const STATE = 0;
const HASH = 1;
const NEXT = 2;
const KEY = 3;
export const CLAIM = 4;
/** Changes whenever a claim ends: others wait for that. */
export const TURN = 5;
const TOUCHED = 6;
const IS_SEQUENTIAL = 7;
export const ROWS = 8;
export const TYPE = 9;
/** Words that place the block in memory: the first page, the number of pages, and the bytes in use. */
const PAGE_AT = 10;
const PAGES = 11;
export const BYTES = 12;
const HOLDERS = 13;
const ENTRY = HOLDERS + MAX_THREADS / 32;

/** Turns of a thread that finds the lock taken before it sleeps, and for how long it then does, milliseconds. */
const SPINS = 200;
const SLEEP_MS = 1;
/** Sizes of the memory that threads share, and the number of threads. */
export interface ShareOptions {
  /** Bytes that all threads together may hold: of blocks, and of the bytes that they are decoded from. */
  readonly maxBytes: number;
  /** Threads that read at the same time: each has its part of the memory for compressed bytes. */
  readonly threads: number;
  /** @internal Bytes of an arena, whole pages. */
  readonly arenaBytes?: number;
}

/**
 * Allocates memory for decoded blocks that threads share: what one has decoded all can read, and no two decode the same.
 * The system gives memory when it is first written to.
 */
export function shareBlocks({ maxBytes, threads, arenaBytes = ARENA_BYTES }: ShareOptions): SharedBlocks {
  const pages = Math.floor((maxBytes * (1 - SPARE)) / PAGE);
  const entries = entryCount(pages);
  const arenas: SharedArrayBuffer[] = [];
  for (let rest = pages * PAGE; rest > 0; rest -= arenaBytes) {
    arenas.push(new SharedArrayBuffer(Math.min(rest, arenaBytes)));
  }
  return {
    maxBytes,
    threads,
    words: new SharedArrayBuffer((HEAD + entries * (ENTRY + 1)) * 4),
    keys: new SharedArrayBuffer(entries * KEY_LENGTH * 2),
    pages: new SharedArrayBuffer(pages),
    arenas,
  };
}

const entryCount = (pages: number): number => Math.max(64, Math.ceil((pages * PAGE) / ENTRY_BYTES));

/** Entries and pages, in the memory of all threads. Everything but `view` is done under the lock. */
export class Table {
  readonly words: Int32Array;
  readonly #keys: Uint16Array;
  readonly #pages: Uint8Array;
  readonly #arenas: readonly SharedArrayBuffer[];
  readonly #arenaPages: number;
  readonly #entries: number;
  /** First words of the chains of entries, by the hash of their keys. */
  readonly #chains: number;
  readonly #me: number;

  constructor({ words, keys, pages, arenas }: SharedBlocks, thread: number) {
    this.words = new Int32Array(words);
    this.#keys = new Uint16Array(keys);
    this.#pages = new Uint8Array(pages);
    this.#arenas = arenas;
    this.#arenaPages = (arenas[0]?.byteLength ?? PAGE) / PAGE;
    this.#entries = entryCount(pages.byteLength);
    this.#chains = HEAD + this.#entries * ENTRY;
    this.#me = thread;
  }

  get use(): { readonly entries: number; readonly bytes: number } {
    let entries = 0;
    for (let at = HEAD; at < this.#chains; at += ENTRY) if (this.words[at + ROWS]! > 0) entries++;
    return { entries, bytes: this.words[USED_PAGES]! * PAGE };
  }

  /** Runs `work` while no other thread is in here. */
  locked<T>(work: () => T): T {
    const { words } = this;
    for (let i = 1; Atomics.compareExchange(words, LOCK, 0, this.#me + 1) !== 0; i++) {
      if (i % SPINS === 0) Atomics.wait(words, LOCK, words[LOCK]!, SLEEP_MS);
    }
    try {
      return work();
    } finally {
      Atomics.store(words, LOCK, 0);
    }
  }

  /** First word of the entry of a key; 0: there is none. */
  find(key: string): number {
    const { words } = this;
    const hash = hashOf(key);
    for (let at = words[this.#chainOf(hash)]!; at !== 0; at = words[at + NEXT]!) {
      if (words[at + HASH] === hash && this.#isKey(at, key)) return at;
    }
    return 0;
  }

  /** Makes the entry of a key that has none; 0: the table is full. */
  add(key: string): number {
    const { words } = this;
    const at = key.length > KEY_LENGTH ? 0 : this.#freeEntry();
    if (at === 0) return 0;
    const hash = hashOf(key);
    const chain = this.#chainOf(hash);
    words.fill(0, at, at + ENTRY);
    words[at + HASH] = hash;
    words[at + KEY] = key.length;
    const start = ((at - HEAD) / ENTRY) * KEY_LENGTH;
    for (let i = 0; i < key.length; i++) this.#keys[start + i] = key.charCodeAt(i);
    this.touch(at);
    words[at + NEXT] = words[chain]!;
    words[at + STATE] = 1;
    words[chain] = at;
    return at;
  }

  touch(at: number): void {
    const { words } = this;
    words[CLOCK] = words[CLOCK]! + 1;
    words[at + TOUCHED] = words[CLOCK]!;
  }

  hold(at: number): void {
    this.words[at + HOLDERS + (this.#me >> 5)]! |= 1 << (this.#me & 31);
  }

  release(at: number): void {
    const { words } = this;
    words[at + HOLDERS + (this.#me >> 5)]! &= ~(1 << (this.#me & 31));
    if (words[at + ROWS] === 0 && this.#isIdle(at)) this.#remove(at);
  }

  /** Do other threads read samples of this entry? */
  isHeldByOthers(at: number): boolean {
    const { words } = this;
    if (words[at + ROWS] === 0) return false;
    for (let i = 0; i < MAX_THREADS / 32; i++) {
      const holders = words[at + HOLDERS + i]!;
      if ((i === this.#me >> 5 ? holders & ~(1 << (this.#me & 31)) : holders) !== 0) return true;
    }
    return false;
  }

  /** The memory of an entry. */
  view(at: number): Uint8Array {
    const page = this.words[at + PAGE_AT]!;
    const arena = this.#arenas[Math.floor(page / this.#arenaPages)]!;
    return new Uint8Array(arena, (page % this.#arenaPages) * PAGE, this.words[at + BYTES]!);
  }

  /** Gives an entry this many bytes, the same memory where it is large enough. False: there is not enough memory. */
  provide(at: number, bytes: number): boolean {
    const { words } = this;
    const pages = Math.ceil(bytes / PAGE);
    if (words[at + PAGES]! < pages) {
      words[at + ROWS] = 0;
      this.#give(at, 0);
      if (words[at + IS_SEQUENTIAL] !== 0) this.#makeWay(pages);
      const page = this.#run(pages);
      if (page < 0) return false;
      words[at + PAGE_AT] = page;
    }
    this.#give(at, pages);
    words[at + BYTES] = bytes;
    return true;
  }

  /** Marks a block as part of an extraction that reads the file once. */
  setSequential(at: number, sequential: boolean): void {
    const { words } = this;
    if ((words[at + IS_SEQUENTIAL] !== 0) !== sequential) {
      const pages = words[at + PAGES]!;
      words[SEQUENTIAL_PAGES]! += sequential ? pages : -pages;
      words[at + IS_SEQUENTIAL] = sequential ? 1 : 0;
    }
  }

  clear(): void {
    for (let at = HEAD; at < this.#chains; at += ENTRY) {
      if (this.words[at + STATE] === 1 && this.#isIdle(at)) this.#remove(at);
    }
  }

  /** Takes this thread, which runs no more, out of all entries. */
  async forget(): Promise<void> {
    const { words } = this;
    for (;;) {
      const before = Atomics.compareExchange(words, LOCK, 0, this.#me + 1);
      // it has ended in the middle of a change
      if (before === this.#me + 1) this.#rebuild();
      if (before === this.#me + 1 || before === 0) break;
      // the thread that has the lock may have ended too, and is removed only when the caller resumes
      await new Promise((resolve) => setTimeout(resolve, SLEEP_MS));
    }
    try {
      for (let at = HEAD; at < this.#chains; at += ENTRY) {
        if (words[at + STATE] === 0) continue;
        if (words[at + CLAIM] === this.#me + 1) this.unclaim(at);
        this.release(at);
      }
    } finally {
      Atomics.store(words, LOCK, 0);
    }
  }

  unclaim(at: number): void {
    this.words[at + CLAIM] = 0;
    Atomics.add(this.words, at + TURN, 1);
    Atomics.notify(this.words, at + TURN);
  }

  /** Sets how many pages an entry has, from its first on. */
  #give(at: number, pages: number): void {
    const { words } = this;
    const [page, before] = [words[at + PAGE_AT]!, words[at + PAGES]!];
    words[at + PAGES] = pages;
    this.#pages.fill(1, page + before, page + pages).fill(0, page + pages, page + before);
    if (pages < before) words[LOWEST] = Math.min(words[LOWEST]!, page + pages);
    words[USED_PAGES]! += pages - before;
    if (words[at + IS_SEQUENTIAL] !== 0) words[SEQUENTIAL_PAGES]! += pages - before;
  }

  /** Rebuilds chains, pages and sums from the entries. */
  #rebuild(): void {
    const { words } = this;
    this.#pages.fill(0);
    words.fill(0, this.#chains);
    words[LOWEST] = 0;
    words[USED_PAGES] = 0;
    words[SEQUENTIAL_PAGES] = 0;
    for (let at = HEAD; at < this.#chains; at += ENTRY) {
      if (words[at + STATE] === 0) continue;
      const chain = this.#chainOf(words[at + HASH]!);
      words[at + NEXT] = words[chain]!;
      words[chain] = at;
      const [page, pages] = [words[at + PAGE_AT]!, words[at + PAGES]!];
      this.#pages.fill(1, page, page + pages);
      words[USED_PAGES]! += pages;
      if (words[at + IS_SEQUENTIAL] !== 0) words[SEQUENTIAL_PAGES]! += pages;
    }
  }

  #chainOf(hash: number): number {
    return this.#chains + ((hash >>> 0) % this.#entries);
  }

  #isKey(at: number, key: string): boolean {
    if (this.words[at + KEY] !== key.length) return false;
    const start = ((at - HEAD) / ENTRY) * KEY_LENGTH;
    // keys of a file differ at their ends
    for (let i = key.length - 1; i >= 0; i--) if (this.#keys[start + i] !== key.charCodeAt(i)) return false;
    return true;
  }

  #isIdle(at: number): boolean {
    const { words } = this;
    if (words[at + CLAIM] !== 0) return false;
    for (let i = 0; i < MAX_THREADS / 32; i++) if (words[at + HOLDERS + i] !== 0) return false;
    return true;
  }

  #freeEntry(): number {
    const { words } = this;
    for (let at = HEAD; at < this.#chains; at += ENTRY) if (words[at + STATE] === 0) return at;
    const oldest = this.#oldest(false);
    if (oldest !== 0) this.#remove(oldest);
    return oldest;
  }

  /** The entry that was used longest ago of those not in use; 0: there is none. */
  #oldest(sequential: boolean): number {
    const { words } = this;
    const now = words[CLOCK]!;
    let oldest = 0;
    let most = -1;
    for (let at = HEAD; at < this.#chains; at += ENTRY) {
      if (words[at + STATE] === 0 || (sequential && words[at + IS_SEQUENTIAL] === 0)) continue;
      const age = (now - words[at + TOUCHED]!) >>> 0;
      if (age > most && this.#isIdle(at)) {
        oldest = at;
        most = age;
      }
    }
    return oldest;
  }

  #remove(at: number): void {
    const { words } = this;
    words[at + ROWS] = 0;
    this.#give(at, 0);
    words[at + BYTES] = 0;
    let before = this.#chainOf(words[at + HASH]!);
    while (words[before] !== at) before = words[before]! + NEXT;
    words[before] = words[at + NEXT]!;
    words[at + STATE] = 0;
  }

  /** Evicts blocks of extractions where the next ones would take more than their share. */
  #makeWay(pages: number): void {
    while (this.words[SEQUENTIAL_PAGES]! + pages > this.#pages.length * SEQUENTIAL) {
      const oldest = this.#oldest(true);
      if (oldest === 0) return;
      this.#remove(oldest);
    }
  }

  /**
   * Returns the first of this many free pages side by side, evicting the oldest blocks for them; -1 where that is not
   * enough.
   */
  #run(pages: number): number {
    const { words } = this;
    if (pages > this.#arenaPages) return -1;
    for (;;) {
      if (this.#pages.length - words[USED_PAGES]! >= pages) {
        // the first that fit: pages after them are never written to where less is enough
        words[LOWEST] = this.#pages.indexOf(0, words[LOWEST]);
        const page = this.#search(words[LOWEST]!, pages);
        if (page >= 0) return page;
      }
      const oldest = this.#oldest(false);
      if (oldest === 0) return -1;
      this.#remove(oldest);
    }
  }

  #search(from: number, pages: number): number {
    for (let page = this.#pages.indexOf(0, from); page >= 0; ) {
      const taken = this.#pages.indexOf(1, page);
      const free = taken < 0 ? this.#pages.length : taken;
      // no run continues in another arena
      const end = (Math.floor(page / this.#arenaPages) + 1) * this.#arenaPages;
      const start = page + pages <= end ? page : end;
      if (start + pages <= free) return start;
      page = taken < 0 ? -1 : this.#pages.indexOf(0, taken);
    }
    return -1;
  }
}

/** FNV-1a, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash;
}
