/** Words of the host, in the page's language where they are known; where not, said to be English. `Quoted` words are code. */
import type { Phrase } from "../protocol";
import { hostLang, hostText } from "../text";
import { visible } from "../text/visible";

interface Props {
  text: Phrase;
  className?: string | undefined;
  /** Whether it is as a sentence of its own here, although it may be part of one elsewhere. */
  capital?: boolean;
}

export function HostText({ text, className, capital }: Props) {
  const words = visible(hostText(text));
  return (
    <span className={className} lang={hostLang(text)}>
      {(capital ? words.charAt(0).toLocaleUpperCase() + words.slice(1) : words)
        .split(/`([^`]+)`/)
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are those of one text
        .map((piece, place) => (place % 2 === 1 ? <code key={place}>{piece}</code> : piece))}
    </span>
  );
}

interface Several {
  texts: readonly Phrase[];
  between: string;
  /** Whether the row begins a line. */
  capital?: boolean;
}

/** Several of them in a row. */
export function HostTexts({ texts, between, capital }: Several) {
  return texts.map((text, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and texts may repeat
    <span key={place}>
      {place > 0 && between}
      <HostText text={text} capital={place === 0 && (capital ?? false)} />
    </span>
  ));
}
