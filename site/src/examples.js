// Items to start from. Names and sentences are synthetic.

const t = (premise) => premise.join(". ");

export const EXAMPLES = [
  {
    group: "First steps",
    items: [
      {
        name: "Forced by three sentences",
        premise: t([
          "The end of Lantern Parade happened before the start of Harbour Opening",
          "The end of Harbour Opening happened simultaneous to the start of Copper Regatta",
          "The start of Winter Market happened after the end of Copper Regatta",
          "The end of Miller's Feast happened before the start of Winter Market",
        ]),
        claim: "Lantern Parade happens before Winter Market",
      },
      {
        name: "Ruled out",
        premise: t([
          "The end of Lantern Parade happened before the start of Harbour Opening",
          "The start of Copper Regatta happened after the end of Harbour Opening",
        ]),
        claim: "Lantern Parade overlaps with Copper Regatta",
      },
      {
        name: "Left open",
        premise: t([
          "The start of Lantern Parade happened before the start of Winter Market",
          "The end of Winter Market happened before the end of Copper Regatta",
        ]),
        claim: "Lantern Parade happens before Winter Market",
      },
      {
        name: "A contradiction",
        premise: t([
          "The end of Lantern Parade happened before the start of Winter Market",
          "The end of Winter Market happened before the start of Copper Regatta",
          "The end of Copper Regatta happened simultaneous to the start of Lantern Parade",
        ]),
        claim: "Lantern Parade happens before Winter Market",
      },
      {
        name: "A contradiction away from the claim: local and global differ",
        premise: t([
          "The start of Copper Regatta happened before the start of Harbour Opening",
          "The start of Harbour Opening happened before the start of Copper Regatta",
          "The end of Lantern Parade happened before the start of Winter Market",
        ]),
        claim: "Lantern Parade happens before Winter Market",
      },
    ],
  },
  {
    group: "Other wordings",
    items: [
      {
        name: "Places",
        premise: t([
          "The eastern edge of Alder Wood is located to the west of the western edge of Grey Moor",
          "The eastern edge of Grey Moor is on the same longitude as the western edge of Salt Lake",
        ]),
        claim: "Alder Wood is completely west of Salt Lake",
      },
      {
        name: "Symbols",
        premise: t(["mill2 < tide1", "tide2 = lane1", "lane2 < yard1"]),
        claim: "mill < yard",
      },
      {
        name: "One of Allen's thirteen relations",
        premise: t([
          "The start of Lantern Parade happened simultaneous to the start of Winter Market",
          "The end of Lantern Parade happened before the end of Winter Market",
        ]),
        claim: "Lantern Parade starts with but ends before Winter Market",
      },
    ],
  },
  {
    group: "Faults of the published procedure",
    items: [
      {
        name: "simultaneous-exempt: equal points are never contradictory",
        premise: t([
          "The start of Lantern Parade happened simultaneous to the start of Winter Market",
          "The start of Lantern Parade happened before the start of Winter Market",
          "The start of Winter Market happened before the start of Lantern Parade",
        ]),
        claim: "Lantern Parade happens before Winter Market",
      },
      {
        name: "same-event-exempt: an event that ends before it starts",
        premise: t(["The end of Lantern Parade happened before the start of Lantern Parade"]),
        claim: "Lantern Parade happens before Winter Market",
      },
      {
        name: "simultaneous-exempt and seen-early: a search that forgets strict steps",
        premise: t([
          "The end of Winter Market happened simultaneous to the end of Lantern Parade",
          "The end of Winter Market happened simultaneous to the start of Lantern Parade",
        ]),
        claim: "Lantern Parade happens before Winter Market",
      },
      {
        name: "pair-unchecked: the two ends are never compared",
        premise: t([
          "The end of Lantern Parade happened before the end of Winter Market",
          "The end of Winter Market happened before the end of Lantern Parade",
        ]),
        claim: "Lantern Parade happens before Winter Market",
      },
      {
        name: "overlap-by-absence: nothing is known of the starts",
        premise: t(["The start of Winter Market happened before the end of Lantern Parade"]),
        claim: "Lantern Parade overlaps with Winter Market",
      },
    ],
  },
  {
    group: "As in annotated corpora",
    items: [
      {
        name: "Three links of a news text that cannot all hold",
        premise: t([
          "The start of the storm happened before the start of the blackout",
          "The end of the blackout happened before the end of the storm",
          "The end of the storm happened before the start of the repairs",
          "The end of the repairs happened before the start of the blackout",
        ]),
        claim: "the storm happens before the repairs",
      },
      {
        name: "The same text without its last link",
        premise: t([
          "The start of the storm happened before the start of the blackout",
          "The end of the blackout happened before the end of the storm",
          "The end of the storm happened before the start of the repairs",
        ]),
        claim: "the blackout happens before the repairs",
      },
      {
        name: "Simultaneous events, read as one interval",
        premise: t([
          "The start of the hearing happened simultaneous to the start of the session",
          "The end of the hearing happened simultaneous to the end of the session",
          "The end of the session happened before the start of the vote",
          "The start of the report happened before the start of the vote",
        ]),
        claim: "the report overlaps with the hearing",
      },
    ],
  },
];

/** Chains of thought, right and wrong. */
export const CHAINS = [
  {
    name: "A step that contradicts the premise",
    premise: t([
      "The end of Kite Fair happened before the start of Boat Race",
      "The end of Boat Race happened before the start of Lamp Walk",
      "The end of Lamp Walk happened before the start of Stone Play",
    ]),
    claim: "Kite Fair happens before Stone Play",
    steps: [
      "Kite Fair was over before Boat Race began.",
      "Lamp Walk ended before Boat Race started.",
      "So Lamp Walk ended before Stone Play started, and the answer is True.",
    ],
  },
  {
    name: "A step that the premise leaves open",
    premise: t([
      "The start of Ivy Ball happened before the start of Tin Expo",
      "The start of Reed Run happened before the end of Tin Expo",
    ]),
    claim: "Ivy Ball happens before Tin Expo",
    steps: [
      "Ivy Ball ends before Tin Expo starts, as stated in the first sentence.",
      "Therefore Ivy Ball happens before Tin Expo.",
      "**Answer: True**",
    ],
  },
  {
    name: "All right, with two timelines",
    premise: t([
      "The start of Ivy Ball happened before the start of Tin Expo",
      "The start of Reed Run happened before the end of Tin Expo",
    ]),
    claim: "Ivy Ball happens before Tin Expo",
    steps: [
      "Ivy Ball starts before Tin Expo starts.",
      "One timeline: Ivy Ball 0 to 1, Tin Expo 2 to 3, Reed Run 0 to 1.",
      "Another one: Ivy Ball 0 to 3, Tin Expo 2 to 4, Reed Run 0 to 1.",
      "So we cannot tell whether Ivy Ball happens before Tin Expo. Answer: false.",
    ],
  },
  {
    name: "A contradiction, in symbols",
    premise: "salt2 < iron1. iron2 < salt1. moss1 = iron1",
    claim: "iron > salt",
    steps: [
      "salt2 < iron1, so iron > salt",
      "iron2 < salt1, so iron < salt",
      "Contradiction between iron and salt, therefore Undefined.",
    ],
  },
];
