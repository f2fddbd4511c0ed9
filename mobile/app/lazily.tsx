/** A screen that is loaded when it is first shown, so that the first page stays small. */
import { type ComponentType, lazy, Suspense } from "react";
import { screenCode } from "../../src/app/screenCode";

export function lazily<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  const Loaded = lazy(() => screenCode(load())) as unknown as ComponentType<P>;
  return (props: P) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
