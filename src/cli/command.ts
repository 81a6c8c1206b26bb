/** What the commands of the program itself work with. */
import type { Command, Context, Patience } from '../desk/command.ts';
import type { Desk } from '../desk/desk.ts';
import type { Tables } from '../service/tables.ts';
import type { Client } from './client.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CliContext extends Context {
  readonly env: Environment;
  /** Asks a person a question that yes or no answers; absent without a terminal to ask on. */
  readonly ask?: (question: string) => Promise<boolean>;
  /** Path of the state folder; it is not created. */
  stateDir(): Promise<string>;
  /** Path of the state folder of the service that is asked: without one of your own, that of the machine, as its unit names it. */
  serviceDir(): Promise<string>;
  client(options?: Patience): Promise<Client>;
  /** Reads the store of `serviceDir`. @throws Failure when there is none, without a value `none` for that */
  withStore<T>(read: (tables: Tables) => T, none?: T): Promise<T>;
  /** Runs work against a desk in this process; closes it afterwards. `beside`: pid of a service on the same state folder. */
  withDesk<T>(work: (desk: Desk, beside: number | null) => Promise<T>): Promise<T>;
}

export type CliCommand = Command<CliContext>;
