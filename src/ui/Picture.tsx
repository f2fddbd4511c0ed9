/** A picture from a call, loaded through the connection. Its type is determined from its bytes. */
import { useEffect, useState } from "react";
import type { AimedPicture, PictureAnswer, PicturePart } from "../protocol";
import { useHost } from "../store/hooks";
import { hostText, t } from "../text";
import { ErrorNote } from "./ErrorNote";
import { useAction } from "./useAction";
import "./ui.css";

/** Returns the style of a rectangle in a picture, independent of the size at which the picture is shown. */
function placed(spot: NonNullable<Props["outlined"]>, { width, height }: PicturePart) {
  const percent = (part: number, of: number) => `${(100 * part) / Math.max(of, 1)}%`;
  return {
    left: percent(spot.left, width),
    top: percent(spot.top, height),
    width: percent(spot.width, width),
    height: percent(spot.height, height),
  };
}

interface Props {
  task: string;
  call: string;
  picture: PicturePart;
  /** The rectangle to outline, in the picture's pixels. */
  outlined?: Pick<AimedPicture, "left" | "top" | "width" | "height">;
}

export function Picture({ task, call, picture, outlined }: Props) {
  const { client } = useHost();
  const [address, setAddress] = useState<string | null>(null);
  const { digest } = picture;
  const load = useAction(async () => {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let offset: number | null = 0;
    let type: string = picture.media_type;
    while (offset !== null) {
      const piece: PictureAnswer = await client.query(
        { query: "picture", task, call, digest, offset },
        "picture",
      );
      pieces.push(Uint8Array.from(atob(piece.base64), (letter) => letter.charCodeAt(0)));
      type = piece.media_type;
      offset = piece.next;
    }
    setAddress(URL.createObjectURL(new Blob(pieces, { type })));
  });
  const { run } = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each picture; `run` is new with each render
  useEffect(() => void run(), [task, call, digest]);
  useEffect(() => () => (address === null ? undefined : URL.revokeObjectURL(address)), [address]);
  const shape = { aspectRatio: `${picture.width} / ${picture.height}`, maxWidth: `${picture.width}px` };
  return (
    <figure className="picture">
      {address === null ? (
        <div className="picture-waits" style={shape} role="status" aria-label={t("call.picture_loading")} />
      ) : (
        <div className="picture-shown" style={shape}>
          <img src={address} alt={hostText(picture.alt)} style={shape} />
          {outlined && <span className="picture-outline" style={placed(outlined, picture)} />}
        </div>
      )}
      <figcaption className="small faint">{hostText(picture.alt)}</figcaption>
      {load.error && <ErrorNote error={load.error} onDismiss={load.clear} />}
    </figure>
  );
}
