import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { FIELD_LIMITS, FieldsError, readFields, tooLarge } from "../../fields/read-fields.ts";
import type { OpenedFile } from "../analysis.ts";

export interface FilePickerProps {
  readonly onFile: (file: OpenedFile) => void;
}

/** Takes a GeoJSON file of fields, chosen or dropped. It is read in the page: only its geometries are sent, when they are asked about. */
export function FilePicker({ onFile }: FilePickerProps): JSX.Element {
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = async (files: FileList | null | undefined): Promise<void> => {
    const file = files?.[0];
    if (file === undefined) return;
    const opened = files?.length === 1 ? await open(file) : "Expected one file.";
    if (input.current !== null) input.current.value = "";
    setFault(typeof opened === "string" ? opened : undefined);
    if (typeof opened !== "string") onFile(opened);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a way beside the button
    <div
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer?.files);
      }}
    >
      <label class="button small">
        Open a file of fields
        <input
          ref={input}
          type="file"
          accept=".geojson,.json,application/geo+json,application/json"
          onChange={(event) => void take(event.currentTarget.files)}
        />
      </label>
      <span class="quiet">GeoJSON, or drop it here: at most {FIELD_LIMITS.fields} fields.</span>
      <p role="alert" class={fault === undefined ? "hidden" : "fault"}>
        {fault}
      </p>
    </div>
  );
}

/** The fields of a file, or why it has none. */
async function open(file: File): Promise<OpenedFile | string> {
  try {
    if (file.size > FIELD_LIMITS.bytes) throw tooLarge(file.size);
    return { name: file.name, ...readFields(await file.text()) };
  } catch (error) {
    if (error instanceof FieldsError) return error.message;
    return `The file could not be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
