// The slow twin of the network simulator, from protocol section 17 alone: 64-bit arithmetic by remainders, floats through DataView, one flat list.

const WORD = 2n ** 64n;
const cell = new DataView(new ArrayBuffer(4));

function float32(value: number): number {
  cell.setFloat32(0, value);
  return cell.getFloat32(0);
}

interface Flight {
  readonly to: string;
  readonly label: string;
  readonly due: number;
}

/** The simulator with texts for packets. */
export class SimulatorTwin {
  latency: number = 0;
  jitter: number = 0;
  loss: number = 0;
  duplicate: number = 0;
  readonly #ring: Map<number, Flight> = new Map();
  #ready: Flight[] = [];
  #sent: number = 0;
  #now: number = 0;
  #state: bigint = 0x9e37_79b9_7f4a_7c15n;

  word(): bigint {
    let x = this.#state;
    x = x ^ (x / 2n ** 12n);
    x = x ^ ((x * 2n ** 25n) % WORD);
    x = x ^ (x / 2n ** 27n);
    this.#state = x;
    return (x * 0x2545_f491_4f6c_dd1dn) % WORD;
  }

  draw(from: number, to: number): number {
    const unit = float32(float32(Number(this.word() / 2n ** 40n)) / float32(2 ** 24));
    return float32(float32(from) + float32(unit * float32(float32(to) - float32(from))));
  }

  send(to: string, label: string): void {
    if (this.draw(0, 100) <= float32(this.loss)) return;
    let due = this.#now + float32(this.latency) / 1000;
    if (this.jitter > 0) due = this.#now + (float32(this.latency) / 1000 + this.draw(-this.jitter, this.jitter) / 1000);
    this.#launch({ to, label, due });
    if (this.draw(0, 100) <= float32(this.duplicate)) this.#launch({ to, label, due: due + this.draw(0, 1) });
  }

  #launch(flight: Flight): void {
    this.#ring.set(this.#sent % 65_536, flight);
    this.#sent += 1;
  }

  update(now: number): void {
    this.#now = now;
    this.#ready = [];
    for (const place of [...this.#ring.keys()].sort((a, b) => a - b)) {
      const flight = this.#ring.get(place)!;
      if (flight.due > now || this.#ready.length === 16_384) continue;
      this.#ready.push(flight);
      this.#ring.delete(place);
    }
  }

  receive(to: string, max: number): string[] {
    const taken = this.#ready.filter((flight) => flight.to === to).slice(0, max);
    this.#ready = this.#ready.filter((flight) => !taken.includes(flight));
    return taken.map((flight) => flight.label);
  }
}
