// Questions that no document answers. Their best scores say what score means nothing, with this model and these passages.

/** Words of no language, letters in a row, and words that have nothing to do with each other. No topic comes twice, so that
 *  documents about one of them change little. */
export const probes: readonly string[] = [
  'vzzqk',
  'plimf drostel',
  'qqqq wwww',
  'xlrt bnmp',
  'grobble wimsy tarn',
  'uiop hjk',
  'florp',
  'zizzle bax quorf',
  'mnbvcx',
  'thrapple jindo vex',
  '8841273',
  '?! ;; --',
  'seventeen although purple ledger',
  'parliament violin enzyme',
  'yesterday isotope carpet of sonnets',
  'merger of glaciers and adverbs',
  'tax on the moon of Tuesday',
  'hexagon apology turbine',
  'senator in a decimal harbour',
  'a velvet algorithm of onions',
  'oblique pharaoh voltage',
  'the comma of bankruptcy',
  'ballet subpoena quartz',
  'forty monarchs per kilobyte',
];
