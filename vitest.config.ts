import { suiteOf } from './test/support/suite.ts';

export default suiteOf(['unit', 'store', 'process']);
