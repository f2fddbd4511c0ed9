/** A request over HTTP that the host refused. */
import type { ErrorBody } from "../protocol";

export class HttpError extends Error {
  constructor(readonly body: ErrorBody) {
    super(body.message);
  }
}
