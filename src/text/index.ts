/** The page's texts: message files by language. The browser's `Intl` provides plurals and units. */
import type { Phrase } from "../protocol";
import type { Catalogue } from "./catalogue";
import en from "./en.json";

export type Key = keyof typeof en;
/** The part of a counted message's key before `_one` and `_other`. */
export type CountKey = Key extends infer K ? (K extends `${infer Base}_one` ? Base : never) : never;
type Values = Record<string, string | number>;
type Messages = Record<string, string>;

/** The available languages. English is in the bundle, the others are loaded on demand. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** Loads a language: the page's own messages and the host's catalog. */
type Load = () => Promise<{ own: Messages; files: Record<string, string> }>;
const load: Record<Exclude<Language, "en">, Load> = {
  de: async () => {
    const [own, files] = await Promise.all([import("./de.json"), import("./host.de")]);
    return { own: own.default, files: files.default };
  },
};

let language: Language = "en";
let messages: Messages = en;
let said: Catalogue | undefined;
let plural = new Intl.PluralRules("en");

/** Loads another language, with the parser for the host's messages. English needs neither. */
async function translated(wanted: Exclude<Language, "en">) {
  const [{ own, files }, { catalogue }] = await Promise.all([load[wanted](), import("./catalogue")]);
  return { own, said: catalogue(wanted, Object.values(files)) };
}

/** Changes the language. The caller must redraw the page. */
export async function setLanguage(wanted: Language): Promise<void> {
  const words = wanted === "en" ? undefined : await translated(wanted);
  messages = { ...en, ...words?.own };
  said = words?.said;
  language = wanted;
  plural = new Intl.PluralRules(wanted);
  document.documentElement.lang = wanted;
  document.documentElement.dir = new Intl.Locale(wanted).language === "ar" ? "rtl" : "ltr";
}

export function currentLanguage(): Language {
  return language;
}

/** Returns a message with its values filled in. */
export function t(key: Key, values: Values = {}): string {
  return fill(messages[key] ?? key, values);
}

/** Returns a counted message. `count` selects the plural form, and is filled in as a formatted number. */
export function tn(key: CountKey, count: number, values: Values = {}): string {
  const form = plural.select(count) === "one" ? "one" : "other";
  return fill(messages[`${key}_${form}`] ?? key, { count: number(count), ...values });
}

/**
 * Returns a phrase of the host in the page's language, or in English. Use it only as text, because it may contain
 * untrusted text.
 */
export function hostText(phrase: Phrase): string {
  return inOwnLanguage(phrase) ?? englishOf(phrase);
}

/** Returns the `lang` attribute for a phrase of the host if its language differs from the page's. */
export function hostLang(phrase: Phrase): "en" | undefined {
  return said && inOwnLanguage(phrase) === undefined ? "en" : undefined;
}

/** Returns a phrase of the host in English, for comparisons and for what is sent to the host. */
export function englishOf(phrase: Phrase): string {
  return typeof phrase === "string" ? phrase : phrase.text;
}

function inOwnLanguage(phrase: Phrase): string | undefined {
  return typeof phrase === "string" ? undefined : said?.(phrase);
}

function fill(message: string, values: Values): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function number(value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** Formats a number for a field: without separators of thousands, with up to two decimals. */
export function plainNumber(value: number): string {
  return new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 2 }).format(value);
}

/**
 * Reads a number that was typed, with a point or a comma before up to two decimals. `undefined` if it is anything else;
 * three digits after a comma could be thousands.
 */
export function typedNumber(text: string): number | undefined {
  const plain = text.trim();
  return /^\d{1,9}(?:[.,]\d{1,2})?$/.test(plain) ? Number(plain.replace(",", ".")) : undefined;
}

/** Formats a fraction: `87%`. */
export function percent(part: number): string {
  return new Intl.NumberFormat(language, { style: "percent" }).format(part);
}

/** Formats a number of tokens: `1.2 k`, `3.4 M`. */
export function compact(value: number): string {
  // If a language has no short form, the number is written out, without fractions and with grouping.
  const style = { notation: "compact", maximumFractionDigits: 1, useGrouping: true } as const;
  return new Intl.NumberFormat(language, style).format(Math.round(value));
}

/** Formats a price. Amounts below 1 have up to four decimal places. */
export function money(value: number, currency: string): string {
  const maximumFractionDigits = value > 0 && value < 1 ? 4 : 2;
  try {
    const style = { style: "currency", currency, minimumFractionDigits: 2, maximumFractionDigits } as const;
    return new Intl.NumberFormat(language, style).format(value);
  } catch {
    // The configured currency is not one that browsers know.
    return `${new Intl.NumberFormat(language, { maximumFractionDigits }).format(value)} ${currency}`;
  }
}

export function bytes(value: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  let step = 0;
  let scaled = value;
  while (scaled >= 1000 && step < units.length - 1) {
    scaled /= 1000;
    step += 1;
  }
  const unit = units[step] ?? "byte";
  const maximumFractionDigits = step > 0 && scaled < 10 ? 1 : 0;
  const unitDisplay = step === 0 ? "long" : "short";
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay, maximumFractionDigits }).format(
    scaled,
  );
}

/** Formats a duration: `0.4 s`, `1 min 40 s`. */
export function duration(ms: number): string {
  if (ms < 100) return t("time.ms", { n: number(Math.round(ms)) });
  const seconds = ms / 1000;
  const short = new Intl.NumberFormat(language, { maximumFractionDigits: seconds < 10 ? 1 : 0 });
  if (seconds < 60) return t("time.s", { n: short.format(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t("time.m_s", { m: minutes, s: Math.floor(seconds % 60) });
  return t("time.h_m", { h: number(Math.floor(minutes / 60)), m: minutes % 60 });
}

export function clock(at: number): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at);
}

export function date(at: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(at);
}

/** Formats a time of today, or a time of another day with its date. */
export function clockOrDate(at: number, now = Date.now()): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday
    ? clock(at)
    : new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** Formats a time relative to now: `2 min ago`, `in 23 h`, or `now` within 30 seconds. */
export function relative(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  const away = Math.abs(seconds);
  if (away < 30) return t("time.now");
  const words = new Intl.RelativeTimeFormat(language, { style: "narrow", numeric: "auto" });
  if (away < 3600) return words.format(Math.round(seconds / 60), "minute");
  if (away < 48 * 3600) return words.format(Math.trunc(seconds / 3600), "hour");
  return words.format(Math.round(seconds / 86400), "day");
}
