import { WHOLE } from '../support/sample.ts';
import { survivesAFaultAtEachCall } from './nth-call.ts';

survivesAFaultAtEachCall(WHOLE);
