import { Button } from '../controls/button.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { statesTexts } from './states-texts.ts';

/** For a page that has nothing to show. */
export function BackButton(): React.JSX.Element {
  const addressBar = useAddressBar();
  return <Button onClick={() => addressBar.push({ page: 'pictures' })}>{statesTexts().back}</Button>;
}
