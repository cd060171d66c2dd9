import type { ComponentChildren, JSX } from "preact";
import { utmName } from "../geometry/utm.ts";
import { useExplorer } from "../state/explorer.ts";
import { measuredBands } from "../view/bands.ts";
import type { Order } from "../view/data-filter.ts";
import type { ExtractForm } from "./extract-form.ts";
import { UNITS, type Units } from "./extract-plan.ts";

const ORDERS: Readonly<Record<Order, string>> = {
  leastCC: "Least cloudy on top",
  mostRecent: "Newest on top",
  leastRecent: "Oldest on top",
};

interface SelectProps {
  readonly id: string;
  readonly label: string;
  readonly value: string | number;
  readonly onValue: (value: string) => void;
  readonly children: ComponentChildren;
}

function Select({ id, label, value, onValue, children }: SelectProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {children}
      </select>
    </div>
  );
}

function Bands({ form }: { readonly form: ExtractForm }): JSX.Element {
  const { collection } = useExplorer();
  const chosen = form.bands.value;
  const all = measuredBands(collection.value);
  const toggle = (name: string, yes: boolean): void => {
    form.bands.value = all.map((band) => band.name).filter((each) => (each === name ? yes : chosen.includes(each)));
  };
  return (
    <fieldset>
      <legend>Bands</legend>
      <div class="chips">
        {all.map(({ name, common_name, description }) => (
          <label key={name} class="chip" title={description}>
            <input
              type="checkbox"
              name="band"
              value={name}
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.currentTarget.checked)}
            />
            <span>
              {name}
              {common_name !== undefined && <small> {common_name}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Projection({ form }: { readonly form: ExtractForm }): JSX.Element {
  const zone = form.zone.value;
  const choose = (value: string): void => {
    form.crs.value = value === "3857" ? 3857 : value === "4326" ? 4326 : "utm";
  };
  return (
    <Select id="extract-crs" label="Projection" value={form.crs.value} onValue={choose}>
      <option value="utm">{`${utmName(zone)} (EPSG:${zone})`}</option>
      <option value="3857">Web Mercator (EPSG:3857)</option>
      <option value="4326">Degrees (EPSG:4326)</option>
    </Select>
  );
}

function ValuesField({ form }: { readonly form: ExtractForm }): JSX.Element {
  const choose = (value: string): void => {
    form.units.value = value as Units;
  };
  return (
    <Select id="extract-units" label="Values" value={form.units.value} onValue={choose}>
      {form.offered.value.map((id) => (
        <option key={id} value={id}>
          {UNITS[id]}
        </option>
      ))}
    </Select>
  );
}

function OrderField({ form }: { readonly form: ExtractForm }): JSX.Element {
  const choose = (value: string): void => {
    form.order.value = value as Order;
  };
  return (
    <Select id="extract-order" label="Scene on top" value={form.order.value} onValue={choose}>
      {Object.entries(ORDERS).map(([id, title]) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </Select>
  );
}

/** Chooses what the file holds: bands, pixel size, projection, units, and the scene that lies on top. */
export function Options({ form }: { readonly form: ExtractForm }): JSX.Element {
  const scene = useExplorer().store.view.scene.value;
  const resize = (value: string): void => {
    form.resolution.value = Number(value);
  };
  return (
    <>
      <Bands form={form} />
      <div class="grid-2">
        <Select id="extract-resolution" label="Pixel size" value={form.resolution.value} onValue={resize}>
          {form.resolutions.value.map((metres) => (
            <option key={metres} value={metres}>{`${metres} m`}</option>
          ))}
        </Select>
        <Projection form={form} />
        <ValuesField form={form} />
        {scene === undefined && <OrderField form={form} />}
      </div>
    </>
  );
}
