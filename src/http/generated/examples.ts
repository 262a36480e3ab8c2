// Generated from the demo graph: npm run docs:examples

/** Answers by operation, with at most 2 entries of each array. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  "getHealth": {
    "status": "alive"
  },
  "getReady": {
    "status": "ready"
  },
  "getStatus": {
    "engine": "sqlite",
    "isDemo": true,
    "isLoading": false,
    "loading": null,
    "dataVersion": 4,
    "counts": {
      "logs": 28941,
      "unfoldedLogs": 0,
      "ignoredOps": 23,
      "lists": 1005,
      "accounts": 1001,
      "follows": 19221,
      "ranked": 1000
    },
    "ranksMadeAt": "2026-01-01T00:00:00.000Z",
    "chains": [
      {
        "chainId": 1,
        "indexed": {
          "number": 24707990,
          "hash": "0x9ef8910f95030cc7efd63044ac0eeaf6907d931dbecae6127bd2393910a52733",
          "timestamp": 1767225480
        },
        "head": null,
        "finalized": null,
        "lagBlocks": null,
        "lagSeconds": null
      },
      {
        "chainId": 10,
        "indexed": {
          "number": 149117640,
          "hash": "0xb399749a0fb299721167d7cef204f9e83384d10c6874d2e57979b7cbf1e42929",
          "timestamp": 1767224880
        },
        "head": null,
        "finalized": null,
        "lagBlocks": null,
        "lagSeconds": null
      }
    ],
    "chainsNotIndexed": [],
    "faults": [],
    "sources": {
      "names": "none",
      "badges": "none"
    }
  },
  "getUserAccount": {
    "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "ens": {
      "name": "ada.eth",
      "avatar": "/demo/avatars/ada.eth.svg",
      "header": "/demo/headers/ada.eth.svg",
      "display": "ada.eth",
      "records": {
        "avatar": "/demo/avatars/ada.eth.svg",
        "description": "Here for the frens.",
        "header": "/demo/headers/ada.eth.svg",
        "name": "Ada",
        "url": "https://ada.example",
        "location": "Zürich",
        "com.github": "ada",
        "com.twitter": "ada",
        "org.telegram": "ada"
      },
      "chains": {
        "eth": "0x95bed47b77063477a3eed2ccc17bff43d29d9923"
      },
      "fresh": 1767145931958,
      "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
      "errors": {},
      "updated_at": "2025-12-31T01:52:11.958Z"
    }
  },
  "getListAccount": {
    "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "ens": {
      "name": "ada.eth",
      "avatar": "/demo/avatars/ada.eth.svg",
      "header": "/demo/headers/ada.eth.svg",
      "display": "ada.eth",
      "records": {
        "avatar": "/demo/avatars/ada.eth.svg",
        "description": "Here for the frens.",
        "header": "/demo/headers/ada.eth.svg",
        "name": "Ada",
        "url": "https://ada.example",
        "location": "Zürich",
        "com.github": "ada",
        "com.twitter": "ada",
        "org.telegram": "ada"
      },
      "chains": {
        "eth": "0x95bed47b77063477a3eed2ccc17bff43d29d9923"
      },
      "fresh": 1767145931958,
      "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
      "errors": {},
      "updated_at": "2025-12-31T01:52:11.958Z"
    },
    "is_primary_list": true,
    "primary_list": "3"
  },
  "getUserDetails": {
    "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "ens": {
      "name": "ada.eth",
      "avatar": "/demo/avatars/ada.eth.svg",
      "header": "/demo/headers/ada.eth.svg",
      "display": "ada.eth",
      "records": {
        "avatar": "/demo/avatars/ada.eth.svg",
        "description": "Here for the frens.",
        "header": "/demo/headers/ada.eth.svg",
        "name": "Ada",
        "url": "https://ada.example",
        "location": "Zürich",
        "com.github": "ada",
        "com.twitter": "ada",
        "org.telegram": "ada"
      },
      "chains": {
        "eth": "0x95bed47b77063477a3eed2ccc17bff43d29d9923"
      },
      "fresh": 1767145931958,
      "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
      "errors": {},
      "updated_at": "2025-12-31T01:52:11.958Z"
    },
    "ranks": {
      "mutuals_rank": "1",
      "followers_rank": "1",
      "following_rank": "54",
      "top8_rank": "1",
      "blocks_rank": "3"
    },
    "primary_list": "3",
    "followers_count": 221,
    "following_count": 58
  },
  "getListDetails": {
    "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "ens": {
      "name": "ada.eth",
      "avatar": "/demo/avatars/ada.eth.svg",
      "header": "/demo/headers/ada.eth.svg",
      "display": "ada.eth",
      "records": {
        "avatar": "/demo/avatars/ada.eth.svg",
        "description": "Here for the frens.",
        "header": "/demo/headers/ada.eth.svg",
        "name": "Ada",
        "url": "https://ada.example",
        "location": "Zürich",
        "com.github": "ada",
        "com.twitter": "ada",
        "org.telegram": "ada"
      },
      "chains": {
        "eth": "0x95bed47b77063477a3eed2ccc17bff43d29d9923"
      },
      "fresh": 1767145931958,
      "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
      "errors": {},
      "updated_at": "2025-12-31T01:52:11.958Z"
    },
    "ranks": {
      "mutuals_rank": "1",
      "followers_rank": "1",
      "following_rank": "54",
      "top8_rank": "1",
      "blocks_rank": "3"
    },
    "primary_list": "3",
    "followers_count": 221,
    "following_count": 58
  },
  "getUserSimpleProfile": {
    "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "display_name": "ada.eth",
    "avatar": "/demo/avatars/ada.eth.svg",
    "followers_count": 221,
    "following_count": 58,
    "url": "https://efp.app/0x95bed47b77063477a3eed2ccc17bff43d29d9923"
  },
  "getUserEns": {
    "ens": {
      "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "name": "ada.eth",
      "avatar": "/demo/avatars/ada.eth.svg",
      "header": "/demo/headers/ada.eth.svg",
      "display": "ada.eth",
      "records": {
        "avatar": "/demo/avatars/ada.eth.svg",
        "description": "Here for the frens.",
        "header": "/demo/headers/ada.eth.svg",
        "name": "Ada",
        "url": "https://ada.example",
        "location": "Zürich",
        "com.github": "ada",
        "com.twitter": "ada",
        "org.telegram": "ada"
      },
      "chains": {
        "eth": "0x95bed47b77063477a3eed2ccc17bff43d29d9923"
      },
      "fresh": 1767145931958,
      "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
      "errors": {},
      "updated_at": "2025-12-31T01:52:11.958Z"
    }
  },
  "getUserPrimaryList": {
    "primary_list": "3"
  },
  "getUserLists": {
    "primary_list": "3",
    "lists": [
      "3"
    ]
  },
  "getUserStats": {
    "followers_count": 221,
    "following_count": 58
  },
  "getListStats": {
    "followers_count": 221,
    "following_count": 58
  },
  "getUserBadges": {
    "poaps": [
      {
        "eventId": "177709",
        "participated": true,
        "collection": {
          "event": {
            "id": 177709,
            "fancy_id": "first-hundred-days-of-kith-2024",
            "name": "The First Hundred Days",
            "event_url": "https://events.example/first-hundred-days",
            "image_url": "/demo/badges/first-hundred-days.svg",
            "country": "",
            "city": "",
            "description": "For everybody who minted a list while the graph was still small enough to draw.",
            "year": 2024,
            "start_date": "24-Sep-2024",
            "end_date": "31-Dec-2024",
            "expiry_date": "31-Jan-2025"
          },
          "tokenId": "7200000",
          "owner": "0x95bed47b77063477a3eed2ccc17bff43d29d9923"
        }
      },
      {
        "eventId": "178064",
        "participated": false,
        "collection": null
      }
    ]
  },
  "getListBadges": {
    "poaps": [
      {
        "eventId": "177709",
        "participated": true,
        "collection": {
          "event": {
            "id": 177709,
            "fancy_id": "first-hundred-days-of-kith-2024",
            "name": "The First Hundred Days",
            "event_url": "https://events.example/first-hundred-days",
            "image_url": "/demo/badges/first-hundred-days.svg",
            "country": "",
            "city": "",
            "description": "For everybody who minted a list while the graph was still small enough to draw.",
            "year": 2024,
            "start_date": "24-Sep-2024",
            "end_date": "31-Dec-2024",
            "expiry_date": "31-Jan-2025"
          },
          "tokenId": "7200000",
          "owner": "0x95bed47b77063477a3eed2ccc17bff43d29d9923"
        }
      },
      {
        "eventId": "178064",
        "participated": false,
        "collection": null
      }
    ]
  },
  "getSlotsDetails": {
    "slotDetails": {
      "chainId": 8453,
      "contractAddress": "0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33",
      "tokenId": 3,
      "owner": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "manager": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "user": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "userName": "ada.eth",
      "userAvatar": "/demo/avatars/ada.eth.svg",
      "userHeader": "/demo/headers/ada.eth.svg",
      "isPrimaryList": true
    }
  },
  "getMinters": {
    "minters": [
      {
        "address": "0x3b389dbd5268b107401968b7a07ee130e7ac3bb0",
        "name": "",
        "avatar": "",
        "list": "1006"
      },
      {
        "address": "0x494e883dcbbe2ef13dec19befe931a64fc8234bc",
        "name": "azure🪐mango.eth",
        "avatar": "/demo/avatars/azure%F0%9F%AA%90mango.eth.svg",
        "list": "1005"
      }
    ]
  },
  "getList": {
    "token_id": "3",
    "storage_location": {
      "chain_id": "8453",
      "contract": "0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33",
      "slot": "13831115080546048069276880958248142955796564205416171754595608225458039254278"
    },
    "owner": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "manager": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "user": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "minted_at": "2024-07-13T17:24:22.000Z",
    "minted_to": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "is_primary_list": true,
    "primary_list_fault": ""
  },
  "getUserFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "svc_list_nft_token_id": "11",
        "efp_list_nft_token_id": "11",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "getListFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "svc_list_nft_token_id": "11",
        "efp_list_nft_token_id": "11",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "getUserAllFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "svc_list_nft_token_id": "11",
        "efp_list_nft_token_id": "11",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "getListAllFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "svc_list_nft_token_id": "11",
        "efp_list_nft_token_id": "11",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "getUserMutuals": {
    "mutuals": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "svc_list_nft_token_id": "11",
        "efp_list_nft_token_id": "11",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "getUserRelationships": {
    "direction": "incoming",
    "tag": "top8",
    "relationships": [
      {
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ]
      },
      {
        "address": "0x281ec2cfcc92768f42c8fa02d3a8948c6690f929",
        "tags": [
          "top8"
        ]
      }
    ]
  },
  "getUserLatestFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "svc_list_nft_token_id": "11",
        "efp_list_nft_token_id": "11",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "getListLatestFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "svc_list_nft_token_id": "11",
        "efp_list_nft_token_id": "11",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "searchUserFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z",
        "ens": {
          "name": "juniper.eth",
          "avatar": "/demo/avatars/juniper.eth.svg",
          "header": "",
          "display": "juniper.eth",
          "records": {
            "avatar": "/demo/avatars/juniper.eth.svg",
            "description": "",
            "header": "",
            "name": "",
            "com.twitter": "juniper"
          },
          "chains": {
            "eth": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515"
          },
          "fresh": 1767199506619,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T16:45:06.619Z"
        }
      }
    ]
  },
  "searchListFollowers": {
    "followers": [
      {
        "svc_list_nft_token_id": "4",
        "efp_list_nft_token_id": "4",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "gm",
          "top8"
        ],
        "is_following": true,
        "is_blocked": false,
        "is_muted": false,
        "updated_at": "2025-12-31T23:58:00.000Z",
        "ens": {
          "name": "juniper.eth",
          "avatar": "/demo/avatars/juniper.eth.svg",
          "header": "",
          "display": "juniper.eth",
          "records": {
            "avatar": "/demo/avatars/juniper.eth.svg",
            "description": "",
            "header": "",
            "name": "",
            "com.twitter": "juniper"
          },
          "chains": {
            "eth": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515"
          },
          "fresh": 1767199506619,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T16:45:06.619Z"
        }
      }
    ]
  },
  "getUserFollowing": {
    "following": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "address": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "tags": [],
        "updated_at": "2025-12-31T21:00:00.000Z"
      },
      {
        "version": 1,
        "record_type": "address",
        "data": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "updated_at": "2025-12-08T00:00:00.000Z"
      }
    ]
  },
  "getListFollowing": {
    "following": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "address": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "tags": [],
        "updated_at": "2025-12-31T21:00:00.000Z"
      },
      {
        "version": 1,
        "record_type": "address",
        "data": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "tags": [],
        "updated_at": "2025-12-08T00:00:00.000Z"
      }
    ]
  },
  "getUserAllFollowing": {
    "following": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "address": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "tags": [],
        "updated_at": "2025-12-31T21:00:00.000Z"
      },
      {
        "version": 1,
        "record_type": "address",
        "data": "0x49a0a93c56e320b281f58aac7c9db27daa7f8bc3",
        "address": "0x49a0a93c56e320b281f58aac7c9db27daa7f8bc3",
        "tags": [
          "mute"
        ],
        "updated_at": "2025-12-24T00:00:00.000Z"
      }
    ]
  },
  "getListAllFollowing": {
    "following": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "address": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "tags": [],
        "updated_at": "2025-12-31T21:00:00.000Z"
      },
      {
        "version": 1,
        "record_type": "address",
        "data": "0x49a0a93c56e320b281f58aac7c9db27daa7f8bc3",
        "address": "0x49a0a93c56e320b281f58aac7c9db27daa7f8bc3",
        "tags": [
          "mute"
        ],
        "updated_at": "2025-12-24T00:00:00.000Z"
      }
    ]
  },
  "searchUserFollowing": {
    "following": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "top8"
        ],
        "updated_at": "2025-10-15T00:00:00.000Z",
        "ens": {
          "name": "juniper.eth",
          "avatar": "/demo/avatars/juniper.eth.svg",
          "header": "",
          "display": "juniper.eth",
          "records": {
            "avatar": "/demo/avatars/juniper.eth.svg",
            "description": "",
            "header": "",
            "name": "",
            "com.twitter": "juniper"
          },
          "chains": {
            "eth": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515"
          },
          "fresh": 1767199506619,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T16:45:06.619Z"
        }
      }
    ]
  },
  "searchListFollowing": {
    "following": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "tags": [
          "top8"
        ],
        "updated_at": "2025-10-15T00:00:00.000Z",
        "ens": {
          "name": "juniper.eth",
          "avatar": "/demo/avatars/juniper.eth.svg",
          "header": "",
          "display": "juniper.eth",
          "records": {
            "avatar": "/demo/avatars/juniper.eth.svg",
            "description": "",
            "header": "",
            "name": "",
            "com.twitter": "juniper"
          },
          "chains": {
            "eth": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515"
          },
          "fresh": 1767199506619,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T16:45:06.619Z"
        }
      }
    ]
  },
  "getUserAllFollowingAddresses": [
    "0xac8d5b8554db412c88993f3763f46cb8063883c8",
    "0x49a0a93c56e320b281f58aac7c9db27daa7f8bc3"
  ],
  "getListAllFollowingAddresses": [
    "0xac8d5b8554db412c88993f3763f46cb8063883c8",
    "0x49a0a93c56e320b281f58aac7c9db27daa7f8bc3"
  ],
  "getUserListRecords": {
    "records": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0x058a05797950cabdd968f7f4ffca800405de7d02",
        "tags": []
      },
      {
        "version": 1,
        "record_type": "address",
        "data": "0x05bd55e7a8b389a0ef3261c818f661506af6bd0c",
        "tags": []
      }
    ]
  },
  "getListRecords": {
    "records": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0x058a05797950cabdd968f7f4ffca800405de7d02",
        "tags": []
      },
      {
        "version": 1,
        "record_type": "address",
        "data": "0x05bd55e7a8b389a0ef3261c818f661506af6bd0c",
        "tags": []
      }
    ]
  },
  "exportState": {
    "following": [
      {
        "version": 1,
        "record_type": "address",
        "data": "0xf970d2ab4d8a2d8895bd74ab673bb7d167fd19a1",
        "address": "0xf970d2ab4d8a2d8895bd74ab673bb7d167fd19a1",
        "tags": [],
        "updated_at": "2024-07-13T17:24:22.000Z"
      },
      {
        "version": 1,
        "record_type": "address",
        "data": "0xf3c54a2a63e0dada77f9595eeaeb1afedc869d54",
        "address": "0xf3c54a2a63e0dada77f9595eeaeb1afedc869d54",
        "tags": [],
        "updated_at": "2024-07-13T17:24:22.000Z"
      }
    ]
  },
  "getUserFollowerState": {
    "addressUser": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "addressFollower": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
    "state": {
      "follow": true,
      "block": false,
      "mute": false
    }
  },
  "getListFollowerState": {
    "token_id": "3",
    "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
    "state": {
      "follow": true,
      "block": false,
      "mute": false
    }
  },
  "getUserButtonState": {
    "token_id": "3",
    "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
    "state": {
      "follow": true,
      "block": false,
      "mute": false
    }
  },
  "getListButtonState": {
    "token_id": "3",
    "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
    "state": {
      "follow": true,
      "block": false,
      "mute": false
    }
  },
  "getUserRelationship": {
    "source": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "target": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
    "state": {
      "is_following": true,
      "is_followed_by": true,
      "is_blocked": false,
      "is_blocked_by": false,
      "is_muted": false,
      "is_muted_by": false
    }
  },
  "getUserTags": {
    "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "tags": [
      "top8",
      "mute"
    ],
    "tagCounts": [
      {
        "tag": "top8",
        "count": 4
      },
      {
        "tag": "mute",
        "count": 3
      }
    ],
    "taggedAddresses": [
      {
        "address": "0x0670c86fd266adba5743d698492f3d64134a29d0",
        "tag": "top8"
      },
      {
        "address": "0x084ca827ed605058c3d3ccac392a20bb26a12753",
        "tag": "mute"
      }
    ]
  },
  "getListTags": {
    "token_id": "3",
    "tags": [
      "top8",
      "mute"
    ],
    "tagCounts": [
      {
        "tag": "top8",
        "count": 4
      },
      {
        "tag": "mute",
        "count": 3
      }
    ],
    "taggedAddresses": [
      {
        "address": "0x0670c86fd266adba5743d698492f3d64134a29d0",
        "tag": "top8"
      },
      {
        "address": "0x084ca827ed605058c3d3ccac392a20bb26a12753",
        "tag": "mute"
      }
    ]
  },
  "getUserTaggedAs": {
    "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
    "tags": [
      "top8",
      "mute"
    ],
    "tagCounts": [
      {
        "tag": "top8",
        "count": 9
      },
      {
        "tag": "mute",
        "count": 3
      }
    ],
    "taggedAddresses": [
      {
        "address": "0x08353ecb4557e3191494fd3e36316a27c6fa3c11",
        "tag": "frens"
      },
      {
        "address": "0x1bb1a881e2c790ceb43cb5ccc11b0e138df354a0",
        "tag": "🦄 frens"
      }
    ]
  },
  "getListTaggedAs": {
    "token_id": "3",
    "tags": [
      "top8",
      "mute"
    ],
    "tagCounts": [
      {
        "tag": "top8",
        "count": 9
      },
      {
        "tag": "mute",
        "count": 3
      }
    ],
    "taggedAddresses": [
      {
        "address": "0x08353ecb4557e3191494fd3e36316a27c6fa3c11",
        "tag": "frens"
      },
      {
        "address": "0x1bb1a881e2c790ceb43cb5ccc11b0e138df354a0",
        "tag": "🦄 frens"
      }
    ]
  },
  "searchLeaderboard": {
    "last_updated": "2026-01-01T00:00:00.000Z",
    "results": [
      {
        "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
        "name": "ada.eth",
        "avatar": "/demo/avatars/ada.eth.svg",
        "mutuals_rank": "1",
        "followers_rank": "1",
        "following_rank": "54",
        "blocks_rank": "3",
        "mutuals": "46",
        "following": "58",
        "followers": "221",
        "blocks": "2",
        "updated_at": "2026-01-01T00:00:00.000Z",
        "header": "/demo/headers/ada.eth.svg",
        "top8": "9",
        "top8_rank": "1"
      },
      {
        "address": "0x02543c8e420192115f585d0495c8be9c6f965720",
        "name": "marigold.eth",
        "avatar": "",
        "mutuals_rank": "165",
        "followers_rank": "2",
        "following_rank": "99",
        "blocks_rank": "18",
        "mutuals": "7",
        "following": "37",
        "followers": "92",
        "blocks": "1",
        "updated_at": "2026-01-01T00:00:00.000Z",
        "header": "",
        "top8": "2",
        "top8_rank": "19"
      }
    ]
  },
  "getLeaderboardRanked": {
    "last_updated": "2026-01-01T00:00:00.000Z",
    "results": [
      {
        "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
        "name": "ada.eth",
        "avatar": "/demo/avatars/ada.eth.svg",
        "mutuals_rank": "1",
        "followers_rank": "1",
        "following_rank": "54",
        "blocks_rank": "3",
        "mutuals": "46",
        "following": "58",
        "followers": "221",
        "blocks": "2",
        "updated_at": "2026-01-01T00:00:00.000Z",
        "header": "/demo/headers/ada.eth.svg",
        "top8": "9",
        "top8_rank": "1"
      },
      {
        "address": "0x0c591d270b43001115675f1d7f7e3b345d257547",
        "name": "humble.gecko.eth",
        "avatar": "",
        "mutuals_rank": "2",
        "followers_rank": "62",
        "following_rank": "9",
        "blocks_rank": "167",
        "mutuals": "14",
        "following": "154",
        "followers": "41",
        "blocks": "0",
        "updated_at": "2026-01-01T00:00:00.000Z",
        "header": "",
        "top8": "1",
        "top8_rank": "82"
      }
    ]
  },
  "getLeaderboardCount": {
    "leaderboardCount": "1000"
  },
  "getLeaderboardAll": {
    "results": [
      {
        "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
        "name": "ada.eth"
      },
      {
        "address": "0x02543c8e420192115f585d0495c8be9c6f965720",
        "name": "marigold.eth"
      }
    ]
  },
  "getLeaderboardFollowers": [
    {
      "rank": 1,
      "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "followers_count": "221"
    },
    {
      "rank": 2,
      "address": "0x02543c8e420192115f585d0495c8be9c6f965720",
      "followers_count": "92"
    }
  ],
  "getLeaderboardFollowing": [
    {
      "rank": 1,
      "address": "0xabd896bff33e268ee143c6f37cec4acb49b9038b",
      "following_count": "247"
    },
    {
      "rank": 2,
      "address": "0xfc5609041e36db8e0d44d41f5e0926e7eb06c1c8",
      "following_count": "245"
    }
  ],
  "getLeaderboardMutuals": [
    {
      "rank": 1,
      "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "mutuals_count": "46"
    },
    {
      "rank": 2,
      "address": "0x0c591d270b43001115675f1d7f7e3b345d257547",
      "mutuals_count": "14"
    }
  ],
  "getLeaderboardBlocked": [
    {
      "rank": 1,
      "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
      "blocked_by_count": "3"
    },
    {
      "rank": 1,
      "address": "0xf94a893c304503de83ec3bba3ce4d6982f2763ed",
      "blocked_by_count": "3"
    }
  ],
  "getLeaderboardBlocks": [
    {
      "rank": 1,
      "address": "0x3287c93fe3b545496fefd3d8654361ca6a40ddaf",
      "blocks_count": "5"
    },
    {
      "rank": 2,
      "address": "0x0c591d270b43001115675f1d7f7e3b345d257547",
      "blocks_count": "3"
    }
  ],
  "getLeaderboardMuted": [
    {
      "rank": 1,
      "address": "0x51d80af36dc18c89cdc0b0608f4a2da8b2f81ee4",
      "muted_by_count": "3"
    },
    {
      "rank": 1,
      "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "muted_by_count": "3"
    }
  ],
  "getLeaderboardMutes": [
    {
      "rank": 1,
      "address": "0x0c591d270b43001115675f1d7f7e3b345d257547",
      "mutes_count": "5"
    },
    {
      "rank": 2,
      "address": "0x0d786ecb3850bc2c2c045a545d65f9ea743a93ff",
      "mutes_count": "4"
    }
  ],
  "getStats": {
    "stats": {
      "address_count": "1000",
      "list_count": "1005",
      "list_op_count": "22884",
      "user_count": "1001"
    }
  },
  "getUserNotifications": {
    "summary": {
      "interval": "168:00:00(hrs)",
      "opcode": "all",
      "total": 10,
      "total_follows": 3,
      "total_unfollows": 2,
      "total_tags": 3,
      "total_untags": 2
    },
    "notifications": [
      {
        "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "name": "juniper.eth",
        "avatar": "/demo/avatars/juniper.eth.svg",
        "token_id": "4",
        "action": "tag",
        "opcode": 3,
        "op": "0x0103010195bed47b77063477a3eed2ccc17bff43d29d992320676d20",
        "tag": "gm",
        "updated_at": "2025-12-31T23:58:00.000Z"
      },
      {
        "address": "0xd5b621d2a50021aa3bcf558d40cbe51e23260ecc",
        "name": "cobalt.eth",
        "avatar": "",
        "token_id": "11",
        "action": "untag",
        "opcode": 4,
        "op": "0x0104010195bed47b77063477a3eed2ccc17bff43d29d9923746f7038",
        "tag": "top8",
        "updated_at": "2025-12-31T23:52:00.000Z"
      }
    ]
  },
  "getUserCommonFollowers": {
    "results": [
      {
        "address": "0x947870e2ab29513da3162d957632dfbe5ce04eb8",
        "name": "sleepy-spruce.eth",
        "avatar": "",
        "header": "",
        "mutuals_rank": "92"
      },
      {
        "address": "0xb65485deb637e709a8f68bde3ff9be8539bb9087",
        "name": "1108.eth",
        "avatar": "/demo/avatars/1108.eth.svg",
        "header": "",
        "mutuals_rank": "92"
      }
    ],
    "length": 3
  },
  "getUserRecommended": {
    "recommended": [
      {
        "address": "0x02cd66f17efc25d19cb3a4e440f792e80af7d1ac",
        "name": "curious-reef.eth",
        "avatar": "",
        "header": ""
      },
      {
        "address": "0x02543c8e420192115f585d0495c8be9c6f965720",
        "name": "marigold.eth",
        "avatar": "",
        "header": ""
      }
    ]
  },
  "getListRecommended": {
    "recommended": [
      {
        "address": "0x02cd66f17efc25d19cb3a4e440f792e80af7d1ac",
        "name": "curious-reef.eth",
        "avatar": "",
        "header": ""
      },
      {
        "address": "0x02543c8e420192115f585d0495c8be9c6f965720",
        "name": "marigold.eth",
        "avatar": "",
        "header": ""
      }
    ]
  },
  "getUserRecommendedDetails": {
    "recommended": [
      {
        "address": "0x02cd66f17efc25d19cb3a4e440f792e80af7d1ac",
        "ens": {
          "name": "curious-reef.eth",
          "avatar": "",
          "header": "",
          "display": "curious-reef.eth",
          "records": {
            "avatar": "",
            "description": "",
            "header": "",
            "name": "",
            "url": "https://curious_reef.example"
          },
          "chains": {
            "eth": "0x02cd66f17efc25d19cb3a4e440f792e80af7d1ac"
          },
          "fresh": 1767182056095,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T11:54:16.095Z"
        },
        "stats": {
          "followers_count": 77,
          "following_count": 13
        },
        "ranks": {
          "mutuals_rank": "268",
          "followers_rank": "11",
          "following_rank": "517",
          "top8_rank": "82",
          "blocks_rank": "3"
        }
      },
      {
        "address": "0x02543c8e420192115f585d0495c8be9c6f965720",
        "ens": {
          "name": "marigold.eth",
          "avatar": "",
          "header": "",
          "display": "marigold.eth",
          "records": {
            "avatar": "",
            "description": "",
            "header": "",
            "name": "",
            "url": "https://marigold.example"
          },
          "chains": {
            "eth": "0x02543c8e420192115f585d0495c8be9c6f965720"
          },
          "fresh": 1767180975306,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T11:36:15.306Z"
        },
        "stats": {
          "followers_count": 92,
          "following_count": 37
        },
        "ranks": {
          "mutuals_rank": "165",
          "followers_rank": "2",
          "following_rank": "99",
          "top8_rank": "19",
          "blocks_rank": "18"
        }
      }
    ]
  },
  "getListRecommendedDetails": {
    "recommended": [
      {
        "address": "0x02cd66f17efc25d19cb3a4e440f792e80af7d1ac",
        "ens": {
          "name": "curious-reef.eth",
          "avatar": "",
          "header": "",
          "display": "curious-reef.eth",
          "records": {
            "avatar": "",
            "description": "",
            "header": "",
            "name": "",
            "url": "https://curious_reef.example"
          },
          "chains": {
            "eth": "0x02cd66f17efc25d19cb3a4e440f792e80af7d1ac"
          },
          "fresh": 1767182056095,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T11:54:16.095Z"
        },
        "stats": {
          "followers_count": 77,
          "following_count": 13
        },
        "ranks": {
          "mutuals_rank": "268",
          "followers_rank": "11",
          "following_rank": "517",
          "top8_rank": "82",
          "blocks_rank": "3"
        }
      },
      {
        "address": "0x02543c8e420192115f585d0495c8be9c6f965720",
        "ens": {
          "name": "marigold.eth",
          "avatar": "",
          "header": "",
          "display": "marigold.eth",
          "records": {
            "avatar": "",
            "description": "",
            "header": "",
            "name": "",
            "url": "https://marigold.example"
          },
          "chains": {
            "eth": "0x02543c8e420192115f585d0495c8be9c6f965720"
          },
          "fresh": 1767180975306,
          "resolver": "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
          "errors": {},
          "updated_at": "2025-12-31T11:36:15.306Z"
        },
        "stats": {
          "followers_count": 92,
          "following_count": 37
        },
        "ranks": {
          "mutuals_rank": "165",
          "followers_rank": "2",
          "following_rank": "99",
          "top8_rank": "19",
          "blocks_rank": "18"
        }
      }
    ]
  },
  "discover": {
    "latestFollows": [
      {
        "address": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
        "name": "ada.eth",
        "avatar": "/demo/avatars/ada.eth.svg",
        "header": "/demo/headers/ada.eth.svg",
        "followers": "221",
        "following": "58"
      },
      {
        "address": "0xac8d5b8554db412c88993f3763f46cb8063883c8",
        "name": "orbit.eth",
        "avatar": "",
        "header": "/demo/headers/orbit.eth.svg",
        "followers": "71",
        "following": "15"
      }
    ]
  },
  "getListButtonStateBatch": [
    {
      "token_id": "3",
      "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
      "state": {
        "follow": true,
        "block": false,
        "mute": false
      }
    },
    {
      "token_id": "3",
      "address": "unclaimed.eth",
      "state": null
    }
  ],
  "getAccounts": [
    {
      "address": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
      "name": "juniper.eth",
      "avatar": "/demo/avatars/juniper.eth.svg",
      "followers_count": 86,
      "following_count": 13,
      "primary_list": "4",
      "state": {
        "follow": true,
        "block": false,
        "mute": false
      },
      "follower_state": {
        "follow": true,
        "block": false,
        "mute": false
      }
    },
    null
  ],
  "getEdgesAmong": {
    "accounts": [
      "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
      "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515"
    ],
    "edges": [
      {
        "source": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
        "target": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "relation": "follow",
        "tags": [
          "top8"
        ]
      },
      {
        "source": "0xe23171d8bc7ecd4ff04c409a6f2e209ad6c6b515",
        "target": "0x95bed47b77063477a3eed2ccc17bff43d29d9923",
        "relation": "follow",
        "tags": [
          "gm",
          "top8"
        ]
      }
    ]
  }
};
