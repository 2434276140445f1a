import { useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { Icon } from '../controls/icon.tsx';
import { closePopover, Popover } from '../controls/popover.tsx';
import { PopoverItem } from '../controls/popover-item.tsx';
import { CopiesLink } from '../copies-page/copies-link.tsx';
import { PublishedLink } from '../publishing/published-link.tsx';
import { useConfig } from '../session/use-config.ts';
import { useRights } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { lazyPart } from '../states/lazy-part.tsx';
import { statesTexts } from '../states/states-texts.ts';
import { headerTexts } from './header-texts.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { TrashLink } from './trash-link.tsx';

const SpaceUsage = lazyPart(() => import('./space-usage.tsx'), 'SpaceUsage', ComingUsage);

/** Has the height of the usage without limits. */
function ComingUsage(): React.JSX.Element {
  return <div className="account-usage" />;
}

/** Says once, quietly, why less is offered. */
function WhatIsNotOffered(): React.JSX.Element | null {
  const config = useConfig();
  const rights = useRights();
  if (rights.write && rights.delete) return null;
  const { readOnly, viewOnly, noDeletion, noChange } = headerTexts().rights;
  const text = rights.delete ? noChange : rights.write ? noDeletion : viewOnly;
  return <p className="account-rights">{config.readOnly ? readOnly : text}</p>;
}

/** Who is signed in, what their space holds, the theme, the language, the keys, sign out. */
export function AccountMenu(): React.JSX.Element {
  const config = useConfig();
  const session = useSession();
  const shortcuts = useShortcuts();
  const rights = useRights();
  const state = useStore(session.state);
  const [openings, setOpenings] = useState(0);
  const name = state.kind === 'signed-in' ? state.name : undefined;
  return (
    <Popover icon="account" label={headerTexts().account} onOpen={() => setOpenings((count) => count + 1)}>
      <p className="account-name">{headerTexts().signedInAs(name)}</p>
      <WhatIsNotOffered />
      {openings === 0 ? <ComingUsage /> : <SpaceUsage openings={openings} />}
      <ThemeSwitch />
      <LanguageSwitch />
      <hr className="popover-line" />
      <CopiesLink className="popover-item" onClick={({ currentTarget }) => closePopover(currentTarget)} />
      {rights.seePublished && <PublishedLink />}
      {config.trashDays > 0 && <TrashLink />}
      <PopoverItem icon="keyboard" onChoose={() => shortcuts.listed.set(true)}>
        {headerTexts().shortcuts}
      </PopoverItem>
      <a className="popover-item" href="./docs/" target="_blank" rel="noreferrer">
        <Icon name="external" />
        {headerTexts().apiReference}
      </a>
      <hr className="popover-line" />
      <PopoverItem icon="sign-out" onChoose={() => void session.signOut()}>
        {statesTexts().signOut}
      </PopoverItem>
    </Popover>
  );
}
