// Generated from /openapi.json: npm run client:types

export interface paths {
    "/status": {
        /** Status of the database and the indexed chains */
        get: {
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Status"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/account": {
        /** Profile of an account */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Account"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/account": {
        /** Profile of the account of a list */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListAccount"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/details": {
        /** Profile and ranks of an account */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccountDetails"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/details": {
        /** Profile and ranks of the account of a list */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccountDetails"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/ens": {
        /** ENS profile of an account */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnsProfile"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/primary-list": {
        /** Primary list of an account */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PrimaryList"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/lists": {
        /** Lists that an account owns, uses or manages */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Lists"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/stats": {
        /** Current numbers of followers and of accounts followed */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Stats"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/stats": {
        /** Current numbers of followers of the account, and of accounts that the list follows */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Stats"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/badges": {
        /** Badges of an account */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Badges"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/badges": {
        /** Badges of the account of a list */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Badges"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/followers": {
        /** Followers of an account */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only accounts that put at least one of them on this one. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/followers": {
        /** Followers of the account of a list, except those that it blocks or mutes */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only accounts that put at least one of them on this one. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/allFollowers": {
        /** Accounts that follow, block or mute an account */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only accounts that put at least one of them on this one. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/allFollowers": {
        /** Accounts that follow, block or mute the account of a list */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only accounts that put at least one of them on this one. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/latestFollowers": {
        /** Followers of an account, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/latestFollowers": {
        /** Followers of the account of a list, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/searchFollowers": {
        /** Followers of an account that match a term */
        get: {
            parameters: {
                query?: {
                    /** @description Substring of a name or an address, case-insensitive. Empty: no results. */
                    term?: string;
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/searchFollowers": {
        /** Followers of the account of a list that match a term */
        get: {
            parameters: {
                query?: {
                    /** @description Substring of a name or an address, case-insensitive. Empty: no results. */
                    term?: string;
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Followers"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/following": {
        /** Accounts that an account follows */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only records that have at least one of them. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Following"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/following": {
        /** Accounts that a list follows */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only records that have at least one of them. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Following"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/allFollowing": {
        /** Accounts that an account follows, blocks or mutes */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only records that have at least one of them. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Following"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/allFollowing": {
        /** Accounts that a list follows, blocks or mutes */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description Comma-separated tags: only records that have at least one of them. */
                    tags?: string;
                    /** @description Sort order: newest, oldest, or most followers first. */
                    sort?: "latest" | "earliest" | "followers";
                    /** @description `ens` adds the profile of each account. */
                    include?: string;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Following"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/searchFollowing": {
        /** Accounts that an account follows and that match a term */
        get: {
            parameters: {
                query?: {
                    /** @description Substring of a name or an address, case-insensitive. Empty: no results. */
                    term?: string;
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Following"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/searchFollowing": {
        /** Accounts that a list follows and that match a term */
        get: {
            parameters: {
                query?: {
                    /** @description Substring of a name or an address, case-insensitive. Empty: no results. */
                    term?: string;
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Following"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/allFollowingAddresses": {
        /** Addresses that a list follows, blocks or mutes */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Addresses, latest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string[];
                    };
                };
            };
        };
    };
    "/api/v1/exportState/{token_id}": {
        /** All records of a list, oldest first */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Following"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/{addressOrENS2}/followerState": {
        /** Whether the second account follows, blocks or mutes the first */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS2: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FollowerState"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/{addressOrENS}/followerState": {
        /** Whether an account follows, blocks or mutes the account of a list */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListState"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/{addressOrENS2}/buttonState": {
        /** Whether the first account follows, blocks or mutes the second */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS2: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListState"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/{addressOrENS}/buttonState": {
        /** Whether a list follows, blocks or mutes an account */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListState"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/tags": {
        /** Tags that an account puts on others */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserTags"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/tags": {
        /** Tags that a list puts on its records */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListTags"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/taggedAs": {
        /** Tags that others put on an account */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserTags"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/taggedAs": {
        /** Tags that others put on the account of a list */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListTags"];
                    };
                };
            };
        };
    };
    "/api/v1/leaderboard/search": {
        /** The leaderboard, or the accounts on it that match a term */
        get: {
            parameters: {
                query?: {
                    /** @description Substring of a name or an address, case-insensitive. */
                    term?: string;
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Leaderboard"];
                    };
                };
            };
        };
    };
    "/api/v1/leaderboard/ranked": {
        /** The leaderboard by one of its counts; accounts whose count is 0 come last */
        get: {
            parameters: {
                query?: {
                    /** @description The count to sort by; blocked and blocks are the same. */
                    sort?: "mutuals" | "followers" | "following" | "blocked" | "blocks" | "top8";
                    /** @description Sort direction. */
                    direction?: "desc" | "asc";
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RankedLeaderboard"];
                    };
                };
            };
        };
    };
    "/api/v1/stats": {
        /** Numbers of the whole graph */
        get: {
            parameters: {
                query?: {
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Totals"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/notifications": {
        /** Follows, unfollows, tags and untags that an account received, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description 1 follow, 2 unfollow, 3 tag, 4 untag, 0 any. */
                    opcode?: number;
                    /** @description Length of the time window that ends at `start`. */
                    interval?: "hour" | "day" | "week" | "month" | "all";
                    /** @description Unix time in seconds at which the window ends; default: now. */
                    start?: number;
                    /** @description Only tag and untag actions with this tag. */
                    tag?: string;
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Notifications"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/commonFollowers": {
        /** Accounts that an account follows and that follow the leader */
        get: {
            parameters: {
                query: {
                    /** @description Address (case-insensitive) or ENS name. */
                    leader: string;
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommonFollowers"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/recommended": {
        /** Accounts that are followed by those whom an account follows */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recommended"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/recommended": {
        /** Accounts that are followed by those whom the account of a list follows */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recommended"];
                    };
                };
            };
        };
    };
    "/api/v1/users/{addressOrENS}/recommended/details": {
        /** The same with profiles, counts and ranks */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Address (case-insensitive) or ENS name. */
                    addressOrENS: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecommendedDetails"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/recommended/details": {
        /** The same with profiles, counts and ranks, for the account of a list */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecommendedDetails"];
                    };
                };
            };
        };
    };
    "/api/v1/discover": {
        /** Accounts that were followed most recently */
        get: {
            parameters: {
                query?: {
                    /** @description Number of records. */
                    limit?: number;
                    /** @description Index of the first record. */
                    offset?: number;
                    /** @description `fresh` bypasses the cache and updates it; any other value is ignored. */
                    cache?: string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discover"];
                    };
                };
            };
        };
    };
    "/api/v1/lists/{token_id}/buttonStateBatch": {
        /** Whether a list follows, blocks or mutes each of many accounts */
        post: {
            parameters: {
                path: {
                    /** @description Token id of a list. */
                    token_id: string;
                };
            };
            /** @description Addresses or ENS names. */
            requestBody: {
                content: {
                    "application/json": (string | null)[];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BatchState"][];
                    };
                };
            };
        };
    };
}
export interface components {
    schemas: {
        ChainStatus: {
            chainId: number;
            indexed: {
                number: number;
                /** @description Block hash. */
                hash: string;
                /** @description Unix seconds. */
                timestamp: number;
            };
            /** @description Number of the newest block; null for a chain that is not indexed, like the next three. */
            head: number | null;
            /** @description Number of the newest final block. */
            finalized: number | null;
            /** @description Blocks behind the head. */
            lagBlocks: number | null;
            /** @description Seconds behind the head; also grows while the indexer is down. */
            lagSeconds: number | null;
        };
        ChainFault: {
            chainId: number;
            /** @description Error code, see docs/errors.md. */
            code: string;
            /** @description What failed. */
            message: string;
            /**
             * Format: date-time
             * @description When it failed first.
             */
            since: string;
        };
        Sources: {
            /**
             * @description Where profiles come from, besides imports.
             * @enum {string}
             */
            names: "chain" | "enstate" | "none";
            /**
             * @description Where badges come from, besides imports.
             * @enum {string}
             */
            badges: "poap" | "none";
        };
        Status: {
            /**
             * @description The database.
             * @enum {string}
             */
            engine: "sqlite" | "postgres";
            /** @description Whether the data is a generated demo graph. */
            isDemo: boolean;
            /** @description Whether the database is empty, or the chains are being read for the first time. */
            isLoading: boolean;
            /** @description Grows with each change of the data. */
            dataVersion: number;
            counts: {
                logs: number;
                unfoldedLogs: number;
                ignoredOps: number;
                lists: number;
                accounts: number;
                follows: number;
                ranked: number;
            };
            /** @description Null before the first ranking. */
            ranksMadeAt: string | null;
            chains: components["schemas"]["ChainStatus"][];
            /** @description The chains that are not being indexed, and why. */
            faults: components["schemas"]["ChainFault"][];
            sources: components["schemas"]["Sources"];
        };
        Ens: {
            /** @description Name-service name, or empty. */
            name: string;
            /** @description URL, or empty. */
            avatar: string;
            /** @description URL, or empty. */
            header: string;
            /** @description Display name: the name, else the shortened address. */
            display: string;
            /** @description Text records by key; avatar, description, header and name are always there. */
            records: {
                [key: string]: string;
            };
            /** @description Addresses by chain key. */
            chains: {
                [key: string]: string;
            };
            /** @description When the profile was fetched, Unix milliseconds; 0 if never. */
            fresh: number;
            /** @description Address of the resolver, or empty. */
            resolver: string;
            /** @description Empty when there are none. */
            errors: {
                [key: string]: string;
            };
        };
        Account: {
            /** @description Account address, lower-case. */
            address: string;
            ens: components["schemas"]["Ens"];
        };
        Problem: {
            /** @description URI of the problem type. */
            type: string;
            status: number;
            /** @description What was wrong, for a person. */
            detail: string;
            /**
             * @description Stable error code.
             * @enum {string}
             */
            code: "unknown-list" | "unknown-name" | "invalid-parameter" | "malformed-request" | "unknown-path" | "method-not-allowed" | "body-too-large" | "unsupported-media-type" | "request-timeout" | "request-too-large" | "rate-limited" | "internal" | "overloaded" | "unavailable";
            title: string;
        };
        ListAccount: {
            /** @description Account address, lower-case. */
            address: string;
            ens: components["schemas"]["Ens"];
            /** @description Whether the list is the primary list of its account. */
            is_primary_list: boolean;
            /** @description Number of the primary list, or empty. */
            primary_list: string;
        };
        Ranks: {
            /** @description Leaderboard rank by mutuals, 0 outside the leaderboard, an integer as text. */
            mutuals_rank: string;
            /** @description Leaderboard rank by followers, 0 outside the leaderboard, an integer as text. */
            followers_rank: string;
            /** @description Leaderboard rank by following, 0 outside the leaderboard, an integer as text. */
            following_rank: string;
            /** @description Leaderboard rank by followers who tagged it top8, 0 outside the leaderboard, an integer as text. */
            top8_rank: string;
            /** @description Leaderboard rank by blocks received, 0 outside the leaderboard, an integer as text. */
            blocks_rank: string;
        };
        AccountDetails: {
            /** @description Account address, lower-case. */
            address: string;
            ens: components["schemas"]["Ens"];
            ranks: components["schemas"]["Ranks"];
            /** @description Number of the primary list, or empty. */
            primary_list: string;
        };
        EnsProfile: {
            ens: {
                /** @description Account address, lower-case. */
                address: string;
                /** @description Name-service name, or empty. */
                name: string;
                /** @description URL, or empty. */
                avatar: string;
                /** @description URL, or empty. */
                header: string;
                /** @description Display name: the name, else the shortened address. */
                display: string;
                /** @description Text records by key; avatar, description, header and name are always there. */
                records: {
                    [key: string]: string;
                };
                /** @description Addresses by chain key. */
                chains: {
                    [key: string]: string;
                };
                /** @description When the profile was fetched, Unix milliseconds; 0 if never. */
                fresh: number;
                /** @description Address of the resolver, or empty. */
                resolver: string;
                /** @description Empty when there are none. */
                errors: {
                    [key: string]: string;
                };
            };
        };
        PrimaryList: {
            /** @description Number of the primary list, or empty. */
            primary_list: string;
        };
        Lists: {
            /** @description Number of the primary list, or empty. */
            primary_list: string;
            /** @description Lists that the account owns, uses or manages, ascending. */
            lists: string[];
        };
        Stats: {
            /** @description Followers. */
            followers_count: number;
            /** @description Accounts followed. */
            following_count: number;
        };
        Collection: {
            event: {
                id: number;
                fancy_id: string;
                name: string;
                event_url: string;
                image_url: string;
                country: string;
                city: string;
                description: string;
                year: number;
                /** @description DD-Mon-YYYY */
                start_date: string;
                /** @description DD-Mon-YYYY */
                end_date: string;
                /** @description DD-Mon-YYYY */
                expiry_date: string;
            };
            /** @description Token of the held badge. */
            tokenId: string;
            /** @description Owner of the token, lower-case. */
            owner: string;
        };
        BadgeEntry: {
            eventId: string;
            /** @description Whether the account holds the badge. */
            participated: boolean;
            /** @description Null when the badge is not held. */
            collection: components["schemas"]["Collection"] | null;
        };
        Badges: {
            poaps: components["schemas"]["BadgeEntry"][];
        };
        Follower: {
            /** @description Number of the list of the follower. */
            svc_list_nft_token_id: string;
            /** @description The follower, lower-case. */
            address: string;
            /** @description What the follower tagged the account with, sorted. */
            tags: string[];
            /** @description Whether the account follows the follower. */
            is_following: boolean;
            /** @description Whether the account blocks the follower. */
            is_blocked: boolean;
            /** @description Whether the account mutes the follower. */
            is_muted: boolean;
            /**
             * Format: date-time
             * @description When the follower last changed this edge.
             */
            updated_at: string;
            ens?: components["schemas"]["Ens"];
        };
        Followers: {
            followers: components["schemas"]["Follower"][];
        };
        FollowingEntry: {
            /** @description Version of the record. */
            version: number;
            /** @description Always address. */
            record_type: string;
            /** @description Same as address. */
            data: string;
            /** @description The account of the record, lower-case. */
            address: string;
            /** @description Sorted. */
            tags: string[];
            ens?: components["schemas"]["Ens"];
        };
        Following: {
            following: components["schemas"]["FollowingEntry"][];
        };
        State: {
            follow: boolean;
            block: boolean;
            mute: boolean;
        };
        FollowerState: {
            /** @description Account address, lower-case. */
            addressUser: string;
            /** @description The other account, lower-case. */
            addressFollower: string;
            state: components["schemas"]["State"];
        };
        ListState: {
            /** @description Number of the list, or empty. */
            token_id: string;
            /** @description The other account, lower-case. */
            address: string;
            state: components["schemas"]["State"];
        };
        UserTags: {
            /** @description Account address, lower-case. */
            address: string;
            /** @description Most used first. */
            tags: string[];
            tagCounts: {
                tag: string;
                count: number;
            }[];
            taggedAddresses: {
                /** @description Account address, lower-case. */
                address: string;
                tag: string;
            }[];
        };
        ListTags: {
            /** @description Number of the list, or empty. */
            token_id: string;
            /** @description Most used first. */
            tags: string[];
            tagCounts: {
                tag: string;
                count: number;
            }[];
            taggedAddresses: {
                /** @description Account address, lower-case. */
                address: string;
                tag: string;
            }[];
        };
        LeaderboardEntry: {
            /** @description Account address, lower-case. */
            address: string;
            /** @description Name-service name, or empty. */
            name: string;
            /** @description URL, or empty. */
            avatar: string;
            /** @description Leaderboard rank by mutuals, 0 outside the leaderboard, an integer as text. */
            mutuals_rank: string;
            /** @description Leaderboard rank by followers, 0 outside the leaderboard, an integer as text. */
            followers_rank: string;
            /** @description Leaderboard rank by following, 0 outside the leaderboard, an integer as text. */
            following_rank: string;
            /** @description Leaderboard rank by blocks received, 0 outside the leaderboard, an integer as text. */
            blocks_rank: string;
            /** @description Accounts that follow and are followed, an integer as text. */
            mutuals: string;
            /** @description Accounts followed, an integer as text. */
            following: string;
            /** @description Followers, an integer as text. */
            followers: string;
            /** @description Accounts that block this one, an integer as text. */
            blocks: string;
            /**
             * Format: date-time
             * @description Time of the ranking.
             */
            updated_at: string;
        };
        Leaderboard: {
            /**
             * Format: date-time
             * @description Time of the ranking.
             */
            last_updated: string;
            results: components["schemas"]["LeaderboardEntry"][];
        };
        RankedEntry: {
            /** @description Account address, lower-case. */
            address: string;
            /** @description Name-service name, or empty. */
            name: string;
            /** @description URL, or empty. */
            avatar: string;
            /** @description Leaderboard rank by mutuals, 0 outside the leaderboard, an integer as text. */
            mutuals_rank: string;
            /** @description Leaderboard rank by followers, 0 outside the leaderboard, an integer as text. */
            followers_rank: string;
            /** @description Leaderboard rank by following, 0 outside the leaderboard, an integer as text. */
            following_rank: string;
            /** @description Leaderboard rank by blocks received, 0 outside the leaderboard, an integer as text. */
            blocks_rank: string;
            /** @description Accounts that follow and are followed, an integer as text. */
            mutuals: string;
            /** @description Accounts followed, an integer as text. */
            following: string;
            /** @description Followers, an integer as text. */
            followers: string;
            /** @description Accounts that block this one, an integer as text. */
            blocks: string;
            /**
             * Format: date-time
             * @description Time of the ranking.
             */
            updated_at: string;
            /** @description URL, or empty. */
            header: string;
            /** @description Followers who tagged the account top8, an integer as text. */
            top8: string;
            /** @description Leaderboard rank by followers who tagged it top8, 0 outside the leaderboard, an integer as text. */
            top8_rank: string;
        };
        RankedLeaderboard: {
            /**
             * Format: date-time
             * @description Time of the ranking.
             */
            last_updated: string;
            results: components["schemas"]["RankedEntry"][];
        };
        Totals: {
            stats: {
                /** @description Different addresses in all lists, an integer as text. */
                address_count: string;
                /** @description Lists, an integer as text. */
                list_count: string;
                /** @description List operations, an integer as text. */
                list_op_count: string;
                /** @description Accounts that a list was minted to, an integer as text. */
                user_count: string;
            };
        };
        NotificationSummary: {
            /** @description Length of the window, like 168:00:00(hrs). */
            interval: string;
            /** @description The requested opcode, or all. */
            opcode: string;
            /** @description Notifications on this page. */
            total: number;
            total_follows: number;
            total_unfollows: number;
            total_tags: number;
            total_untags: number;
        };
        Notification: {
            /** @description The account that acted, lower-case. */
            address: string;
            /** @description Name-service name, or empty. */
            name: string;
            /** @description URL, or empty. */
            avatar: string;
            /** @description Number of the list of the acting account. */
            token_id: string;
            /**
             * @description What it did.
             * @enum {string}
             */
            action: "follow" | "unfollow" | "tag" | "untag";
            /** @description 1 follow, 2 unfollow, 3 tag, 4 untag. */
            opcode: number;
            /** @description The raw operation, hex. */
            op: string;
            /** @description The tag, or empty. */
            tag: string;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            updated_at: string;
        };
        Notifications: {
            summary: components["schemas"]["NotificationSummary"];
            notifications: components["schemas"]["Notification"][];
        };
        CommonFollower: {
            /** @description Account address, lower-case. */
            address: string;
            /** @description Name-service name, or empty. */
            name: string;
            /** @description URL, or empty. */
            avatar: string;
            /** @description URL, or empty. */
            header: string;
            /** @description Leaderboard rank by mutuals, 0 outside the leaderboard, an integer as text. */
            mutuals_rank: string;
        };
        CommonFollowers: {
            results: components["schemas"]["CommonFollower"][];
            /** @description Number of common followers on all pages. */
            length: number;
        };
        Card: {
            /** @description Account address, lower-case. */
            address: string;
            /** @description Name-service name, or empty. */
            name: string;
            /** @description URL, or empty. */
            avatar: string;
            /** @description URL, or empty. */
            header: string;
        };
        Recommended: {
            recommended: components["schemas"]["Card"][];
        };
        RecommendedAccount: {
            /** @description Account address, lower-case. */
            address: string;
            ens: components["schemas"]["Ens"];
            stats: components["schemas"]["Stats"];
            ranks: components["schemas"]["Ranks"];
        };
        RecommendedDetails: {
            recommended: components["schemas"]["RecommendedAccount"][];
        };
        DiscoverEntry: {
            /** @description Account address, lower-case. */
            address: string;
            /** @description Name-service name, or empty. */
            name: string;
            /** @description URL, or empty. */
            avatar: string;
            /** @description URL, or empty. */
            header: string;
            /** @description Followers, an integer as text. */
            followers: string;
            /** @description Accounts followed, an integer as text. */
            following: string;
        };
        Discover: {
            latestFollows: components["schemas"]["DiscoverEntry"][];
        };
        BatchState: {
            /** @description Number of the list, or empty. */
            token_id: string;
            /** @description As given if it cannot be resolved. */
            address: string | null;
            /** @description Null if the address cannot be resolved. */
            state: components["schemas"]["State"] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
