/** Saves bytes as a file of the reader's. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // the browser has taken the file by the next turn
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Saves text as a file of the reader's. */
export const saveText = (text: string, name: string, type: string): void => saveBlob(new Blob([text], { type }), name);

export const saveCsv = (text: string, name: string): void => saveText(text, name, "text/csv;charset=utf-8");
