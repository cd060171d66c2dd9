import type { ComponentType } from "preact";

export interface ToolProps {
  /** Whether the tool is the one that is shown: its component stays while others are. */
  readonly isActive: boolean;
}

type Room = ComponentType<ToolProps>;

export interface Tool {
  readonly title: string;
  /** A sentence below the tabs, or the hint of the card's button. */
  readonly hint: string;
  /** Loads the tool when it is first shown. */
  readonly load: () => Promise<Room>;
  /** Loads what the tool shows below the map while it is the tab that is shown. */
  readonly loadDock?: () => Promise<ComponentType>;
}

export interface CardTool extends Tool {
  /** Path of a 24 × 24 icon, drawn by a line of two units. */
  readonly icon: string;
}
