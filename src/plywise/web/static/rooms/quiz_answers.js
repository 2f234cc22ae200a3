// The answers to quizzes and how they were graded, kept in this browser, and the score over a series of quizzes.
//
// Each quiz has an entry of its own in the browser's storage, so two tabs do not overwrite each other's answers.
// An entry has `answers`, a text for each question as it stands in its field, and `results`, by question
// { answer, grade, hinted, shown, right }: the last graded answer with its grade, and whether it ever got a hint, the
// reasons were shown, or it was right.

const PREFIX = "plywise-quiz:";
const STUDENTS = "students:";

export class AnswerBook {
  constructor(storage = browserStorage()) {
    this.storage = storage;
    this.entries = new Map(); // what the storage has, or would have if it took it
    for (const key of storage ? Object.keys(storage) : []) {
      if (key.startsWith(PREFIX)) this.read(key.slice(PREFIX.length));
    }
  }

  read(key) {
    try {
      const { answers = {}, results = {} } = JSON.parse(this.storage.getItem(PREFIX + key));
      this.entries.set(key, { answers, results });
    } catch { /* another program wrote it, or it was just removed */ }
  }

  /** The entry of a quiz; a page for students has one of its own. */
  entry(quiz, students) {
    const key = (students ? STUDENTS : "") + quiz;
    return { key, ...(this.entries.get(key) ?? { answers: {}, results: {} }) };
  }

  /** Keep an entry.  Returns whether the browser has stored it. */
  keep({ key, answers, results }) {
    this.entries.set(key, { answers, results });
    try {
      this.storage.setItem(PREFIX + key, JSON.stringify({ answers, results }));
      return true;
    } catch {
      return false; // storage is full or forbidden
    }
  }

  /** Forget the answers of the series.  Returns them, for `restore`. */
  clear() {
    const series = this.series();
    for (const { key } of series) {
      this.entries.delete(key);
      this.storage?.removeItem(PREFIX + key);
    }
    return series;
  }

  restore(series) {
    for (const entry of series) this.keep(entry);
  }

  series() {
    return [...this.entries].filter(([key]) => !key.startsWith(STUDENTS)).map(([key, entry]) => ({ key, ...entry }));
  }

  /** How the questions of the series were answered: how many were graded or given up, and how many are right. */
  score() {
    const results = this.series().flatMap(({ results }) => Object.values(results));
    const right = results.filter((result) => result.right && !result.shown);
    const first = right.filter((result) => !result.hinted).length;
    return { asked: results.length, first, hinted: right.length - first };
  }
}

function browserStorage() {
  try { return window.localStorage; } catch { return null; } // forbidden
}

/** The result of a question after another grade: what was once right stays right. */
export function after(result = {}, answer, grade) {
  const settled = result.right === true;
  return {
    ...result, answer, grade,
    right: settled || grade.right,
    hinted: result.hinted === true || (!settled && !grade.right),
    shown: result.shown === true,
  };
}

/** The result of a question whose solution was shown: from then on it cannot be answered rightly. */
export function revealed(result = {}) {
  return result.right ? result : { ...result, shown: true };
}
