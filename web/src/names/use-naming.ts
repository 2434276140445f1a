import type { NamedImage } from '@image-catalog/client';
import { useState } from 'react';
import type { NameActions } from './name-actions.ts';

/** As the service takes it. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

export interface Naming {
  readonly text: string;
  /** Whether the name is published, too. */
  readonly isPublic: boolean;
  readonly choosePublic: (isPublic: boolean) => void;
  readonly edit: (text: string) => void;
  readonly isIllFormed: boolean;
  /** Another picture has the name: the person decides. */
  readonly taken: NamedImage | undefined;
  readonly isRunning: boolean;
  readonly give: () => void;
  /** Takes it away from the other picture, unless that is another one by now. */
  readonly move: () => void;
}

export function useNaming(actions: Pick<NameActions, 'give'>, onGiven: () => void): Naming {
  const [text, setText] = useState('');
  const [isIllFormed, setIllFormed] = useState(false);
  const [taken, setTaken] = useState<NamedImage>();
  const [isPublic, choosePublic] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const name = text.trim();

  function edit(changed: string): void {
    setText(changed);
    setIllFormed(false);
    setTaken(undefined);
  }

  async function send(seen: NamedImage | undefined): Promise<void> {
    setRunning(true);
    const outcome = await actions.give(name, seen, isPublic);
    setRunning(false);
    if (outcome === 'given') onGiven();
    else if (outcome !== 'failed') setTaken(outcome);
  }

  function give(): void {
    if (isRunning) return;
    if (NAME.test(name)) void send(undefined);
    else setIllFormed(true);
  }

  return {
    text,
    isPublic,
    choosePublic,
    edit,
    isIllFormed,
    taken,
    isRunning,
    give,
    move: () => void send(taken),
  };
}
