/** Tidying folders, as on the desktop: both trees of a plan are looked at before it is approved. */
import Files from "../../src/features/files/Files";

export default function FilesPage() {
  return (
    <div className="phone-page-inside">
      <Files />
    </div>
  );
}
