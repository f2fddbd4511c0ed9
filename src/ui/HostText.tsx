/**
 * Text from the host, in the page's language if it is translated, otherwise marked as English. Parts in backquotes
 * are shown as code.
 */
import type { Phrase } from "../protocol";
import { hostLang, hostText } from "../text";
import { visible } from "../text/visible";

interface Props {
  text: Phrase;
  className?: string | undefined;
  /** Whether to capitalize it, because it starts a sentence here. */
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
  /** Whether to capitalize the first text, because it starts a line. */
  capital?: boolean;
}

/** Several texts from the host in a row. */
export function HostTexts({ texts, between, capital }: Several) {
  return texts.map((text, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and texts may repeat
    <span key={place}>
      {place > 0 && between}
      <HostText text={text} capital={place === 0 && (capital ?? false)} />
    </span>
  ));
}
