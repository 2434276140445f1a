import { sharedValue } from '../base/shared-value.ts';
import type { Language } from './language.ts';

export const useLanguage = sharedValue<Language>();
