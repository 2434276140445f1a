import { useState } from 'react';
import { PublicAddress } from '../publishing/public-address.tsx';
import { PublicSwitch } from '../publishing/public-switch.tsx';
import type { PublicState } from '../publishing/use-public-state.ts';
import { useRights } from '../session/use-rights.ts';
import type { NameActions } from './name-actions.ts';

interface NamePublishingProps {
  readonly name: string;
  readonly state: PublicState;
  readonly actions: NameActions;
  readonly onCopy: (url: string) => Promise<void>;
}

/** The public address of a name, and the switch for people who may publish. */
export function NamePublishing({ name, state, actions, onCopy }: NamePublishingProps): React.JSX.Element {
  const rights = useRights();
  /** What the person has chosen, until the service has responded. */
  const [chosen, setChosen] = useState<boolean>();
  const isPublic = chosen ?? state.isPublic;

  async function choose(value: boolean): Promise<void> {
    if (chosen !== undefined) return;
    setChosen(value);
    await actions.setPublic(name, value);
    setChosen(undefined);
  }

  return (
    <>
      {rights.publish && (
        <PublicSwitch
          name={name}
          isPublic={isPublic}
          isHidden={!state.isKnown}
          onChange={(value) => void choose(value)}
        />
      )}
      {isPublic && <PublicAddress name={name} url={state.url} onCopy={onCopy} />}
    </>
  );
}
