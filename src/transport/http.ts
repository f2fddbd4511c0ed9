/** The error of an HTTP request that the host refused. */
import type { ErrorBody } from "../protocol";
import { englishOf } from "../text";

export class HttpError extends Error {
  constructor(readonly body: ErrorBody) {
    super(englishOf(body.message));
  }
}
