/* What can be plotted of a run. A quantity has the same `key` in every run that has it. */

const angular = { position: 'rad', velocity: 'rad/s', acceleration: 'rad/s²', friction: 'N m' };
const linear = { position: 'm', velocity: 'm/s', acceleration: 'm/s²', friction: 'N' };
const reactions = [['reactionForce', 'reaction force', 'N'], ['reactionTorque', 'reaction torque', 'N m']];
const parts = { kinetic: 'kinetic energy', potential: 'potential energy', work_in: 'work put in', dissipated: 'dissipated', error: 'unexplained' };

/* The friction of a law that is no stiction is known where an output reads it: beside a run with stiction that is the same quantity. */
function ofJoint(run, joint) {
  const units = joint.type === 'prismatic' ? linear : angular;
  const found = [];
  for (const name of Object.keys(units)) {
    const label = `${name}(${joint.name})`;
    const column = joint[name] || run.outputs.find((output) => output.name === label)?.value;
    if (!column) continue;
    found.push({ key: `joint\n${joint.name}\n${name}`, group: joint.name, label, unit: units[name], column, width: 1, joint: joint.name,
      limits: name === 'friction' ? [joint.limit_low, joint.limit_high].filter(Boolean) : [] });
  }
  for (const [name, words, unit] of reactions) {
    if (joint[name]) found.push({ key: `joint\n${joint.name}\n${name}`, group: joint.name, label: `|${words}(${joint.name})|`, unit,
      column: joint[name], width: 3, joint: joint.name, limits: [] });
  }
  return found;
}

/* The joint that an output is about, if its name says one. */
function jointOf(run, name) {
  const inner = name.match(/\(([^()]*)\)/);
  return inner && run.joints.some((joint) => joint.name === inner[1].trim()) ? inner[1].trim() : null;
}

export function quantitiesOf(run) {
  if (run.quantities) return run.quantities;
  const found = new Map();
  const add = (quantity) => { if (quantity.column && !found.has(quantity.key)) found.set(quantity.key, quantity); };
  for (const output of run.outputs) {
    add({ key: `output\n${output.name}`, group: 'Outputs', label: output.name, unit: output.unit, column: output.value, width: 1,
      joint: jointOf(run, output.name), limits: [] });
  }
  for (const joint of run.joints) ofJoint(run, joint).forEach(add);
  for (const [part, label] of Object.entries(parts))
    add({ key: `energy\n${part}`, group: 'Energy', label, unit: 'J', column: run.energy[part], width: 1, joint: null, limits: [] });
  run.quantities = found;
  return found;
}

/* One number a row; the size of a vector. Null if there are none. */
export async function valuesOf(run, quantity) {
  const values = await run.numbers(quantity.column, quantity.width, quantity.label);
  if (!values || quantity.width === 1) return values;
  if (!quantity.sizes) {
    const { width } = quantity;
    const resting = values.length === width;
    quantity.sizes = Float32Array.from({ length: run.time.length }, (_, row) => {
      const o = resting ? 0 : row * width;
      return Math.hypot(values[o], values[o + 1], values[o + 2]);
    });
  }
  return quantity.sizes;
}

/* What to show first: outputs, and the joint whose mode changes most often. */
export function firstQuantities(run) {
  const all = quantitiesOf(run);
  const joint = run.joints.reduce((best, each) => (each.segments.length > best.segments.length ? each : best), run.joints[0]);
  const wished = [...run.outputs.filter((output) => !output.name.startsWith('mode(')).slice(0, 2).map((output) => [`output\n${output.name}`])];
  if (joint) wished.push([`joint\n${joint.name}\nvelocity`], [`joint\n${joint.name}\nfriction`]);
  const labels = new Set(); // an output may be a joint's quantity
  return wished.filter(([key]) => all.has(key) && !labels.has(all.get(key).label) && labels.add(all.get(key).label));
}
