/** Created by Debian's nebula-cert 1.6.1. The keys are used only in tests. */
export const CAPTURED = {
  authority: `-----BEGIN NEBULA CERTIFICATE-----
CkkKC2FyY2hpcGVsYWdvEgqAgICiBoDw//8PKIuLh9gGMIuRt+4HOiBq38qTBtUr
X/S9kZkuI66gurgkU0L8Ct3nM4XMLI6L/UABEkAYdZeFbJA7NRrbMNzYjTLXZOJ4
Sm5KQJ9jvTnQqDeANUCsBlanrElo2E/VbrM9QEPo56LVKVGLuWkeIyPVz9AD
-----END NEBULA CERTIFICATE-----
`,
  authorityKey: `-----BEGIN NEBULA ED25519 PRIVATE KEY-----
vIEW3z+wHwP2gW70qvGOZS/Tb6GDnr4iWHNGO4ZRzAtq38qTBtUrX/S9kZkuI66g
urgkU0L8Ct3nM4XMLI6L/Q==
-----END NEBULA ED25519 PRIVATE KEY-----
`,
  /** With several ranges, subnets and groups, and a non-ASCII name. */
  wideAuthority: `-----BEGIN NEBULA CERTIFICATE-----
Cm0KCHdpZGUg4pyTEhOAgIBQgICA+A+BgKCFDICA/P8PGhOAgMDgCoCAwP8PgICk
UICA/P8PIgN3ZWIiAmRiKIuLh9gGMIvo4tkGOiCuQk2liIxsKZWJRZ3OSuiPXq8Q
WenJUoV97ap+GfDP3kABEkAuQivqIQ/gSQtU+W6PMDsoIsJZs4WRonWZJYnGBU3E
DTIbjc8BztqHt4ilGalyUGFxsrFozUDQlL/5Z6u4wkIO
-----END NEBULA CERTIFICATE-----
`,
  wideAuthorityKey: `-----BEGIN NEBULA ED25519 PRIVATE KEY-----
23+M0WJexoYdXQk5SFt0uVVG3A2Fa7P8jDrg6oF6hEWuQk2liIxsKZWJRZ3OSuiP
Xq8QWenJUoV97ap+GfDP3g==
-----END NEBULA ED25519 PRIVATE KEY-----
`,
  hostPublicKey: `-----BEGIN NEBULA X25519 PUBLIC KEY-----
SQDsDMEG7GLboOEi4vw9PKuGOUr4sdtplwEmAHcrS2k=
-----END NEBULA X25519 PUBLIC KEY-----
`,
  /** Issued by `authority` for `hostPublicKey`. */
  host: `-----BEGIN NEBULA CERTIFICATE-----
CmIKBHZtLTESCouAgKIGgPD//w8oi4uH2AYwi4Cs2AY6IEkA7AzBBuxi26DhIuL8
PTyrhjlK+LHbaZcBJgB3K0tpSiAQl+vw05H3Ecs+PvQ3zGBHZoUkxTTuB7Vdmgc4
S5BLbBJAoj37c7vhPxjoQVSt0SQYG9bh5KHwni2cL8nmr4UjUy3gCIiH1spCZSDF
avrkoR1PBkVa1hL4sPYp/G1pPuiEDA==
-----END NEBULA CERTIFICATE-----
`,
  /** Issued by `wideAuthority` for `hostPublicKey`. */
  gateway: `-----BEGIN NEBULA CERTIFICATE-----
CoYBCgpnYXRld2F5LcOpEgr+/6OFDICA/v8PGhOAiMDgCoD+//8PgICkUICA/v8P
IgJkYiIDd2ViKIuLh9gGMIuujNgGOiBJAOwMwQbsYtug4SLi/D08q4Y5Svix22mX
ASYAdytLaUogcK8LeorNFpHKBRr0gch0jNhYJ2oTHPYzJHKThhUXfV0SQAYCBozO
0h9nB9h47vKbeTfJ7nycxG6HbbeyMqhKP4GNpYSwJt+x8DW0x8bFNZK/44E+IfHF
PHnzllB+6QFsbwE=
-----END NEBULA CERTIFICATE-----
`,
} as const;
