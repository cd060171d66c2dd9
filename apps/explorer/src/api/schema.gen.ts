// Made from the service's OpenAPI document: npx vitest run apps/api/test/clients/explorer-types.test.ts -u

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        GeoJsonPoint: {
            /** @enum {string} */
            type: "Point";
            coordinates: number[];
        };
        GeoJsonMultiPoint: {
            /** @enum {string} */
            type: "MultiPoint";
            coordinates: number[][];
        };
        GeoJsonLineString: {
            /** @enum {string} */
            type: "LineString";
            coordinates: number[][];
        };
        GeoJsonMultiLineString: {
            /** @enum {string} */
            type: "MultiLineString";
            coordinates: number[][][];
        };
        GeoJsonPolygon: {
            /** @enum {string} */
            type: "Polygon";
            coordinates: number[][][];
        };
        GeoJsonMultiPolygon: {
            /** @enum {string} */
            type: "MultiPolygon";
            coordinates: number[][][][];
        };
        GeoJsonGeometryCollection: {
            /** @enum {string} */
            type: "GeometryCollection";
            geometries: components["schemas"]["GeoJsonGeometry"][];
        };
        /** @description A GeoJSON geometry (RFC 7946), longitude before latitude. */
        GeoJsonGeometry: components["schemas"]["GeoJsonPoint"] | components["schemas"]["GeoJsonMultiPoint"] | components["schemas"]["GeoJsonLineString"] | components["schemas"]["GeoJsonMultiLineString"] | components["schemas"]["GeoJsonPolygon"] | components["schemas"]["GeoJsonMultiPolygon"] | components["schemas"]["GeoJsonGeometryCollection"];
        /** @description A GeoJSON Polygon or MultiPolygon. */
        GeoJsonArea: components["schemas"]["GeoJsonPolygon"] | components["schemas"]["GeoJsonMultiPolygon"];
        NumberConditions: {
            eq?: number;
            neq?: number;
            lt?: number;
            lte?: number;
            gt?: number;
            gte?: number;
            in?: number[];
        };
        TimeConditions: {
            /** Format: date-time */
            eq?: string;
            /** Format: date-time */
            neq?: string;
            /** Format: date-time */
            lt?: string;
            /** Format: date-time */
            lte?: string;
            /** Format: date-time */
            gt?: string;
            /** Format: date-time */
            gte?: string;
            in?: string[];
        };
        TextConditions: {
            eq?: string;
            neq?: string;
            lt?: string;
            lte?: string;
            gt?: string;
            gte?: string;
            startsWith?: string;
            endsWith?: string;
            contains?: string;
            in?: string[];
        };
        /** @description Conditions on properties (STAC query extension), all of which have to hold. */
        ItemFilter: {
            datetime?: components["schemas"]["TimeConditions"];
            platform?: components["schemas"]["TextConditions"];
            constellation?: components["schemas"]["TextConditions"];
            instruments?: components["schemas"]["TextConditions"];
            "eo:cloud_cover"?: components["schemas"]["NumberConditions"];
            "svc:source_collection"?: components["schemas"]["TextConditions"];
            gsd?: components["schemas"]["NumberConditions"];
            created?: components["schemas"]["TimeConditions"];
            updated?: components["schemas"]["TimeConditions"];
            "view:sun_elevation"?: components["schemas"]["NumberConditions"];
            "view:sun_azimuth"?: components["schemas"]["NumberConditions"];
        };
        LandingPage: {
            /** @enum {string} */
            type: "Catalog";
            stac_version: string;
            stac_extensions?: string[] | null;
            id: string;
            title?: string;
            description: string;
            conformsTo: string[];
            links: components["schemas"]["Link"][];
            /** @description Version of schema v1, as in GET /v1/schema. */
            "svc:schemaVersion"?: string;
            /** @description true: the archive is made up, and so is its country. */
            "svc:synthetic"?: boolean;
            /** @description The base map of the map page, where the owner has set one. */
            "svc:basemap"?: {
                /** @description A MapLibre style, or raster tiles with {z}, {x} and {y}. */
                url: string;
                /** @description Origins that it is loaded from. */
                origins: string[];
                /** @description The credit that is shown; absent: the style's own. */
                credit?: string;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A link of STAC and OGC API. */
        Link: {
            href: string;
            rel: string;
            type?: string | null;
            title?: string | null;
            /** @enum {string} */
            method?: "GET" | "POST" | "HEAD" | "PUT" | "PATCH" | "DELETE";
            headers?: {
                [key: string]: string | string[];
            };
            body?: unknown;
            /** @description Whether the client merges `body` into its previous body. */
            merge?: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @description Problem document (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description Address of the page on this kind of problem; stable for the life of /v1.
             */
            type: string;
            /** @description Short summary; constant for a kind of problem. */
            title: string;
            /** @description HTTP status repeated. */
            status: number;
            /** @description Explanation of this occurrence. */
            detail: string;
            /** @description Path of the failed request, without its query. */
            instance?: string;
            /** @description Machine code; equals the last path segment of `type`. */
            code?: string;
            /** @description Request id; also in the X-Request-Id header. */
            requestId?: string;
            /** @description The faults one by one, on 400 and 422. */
            errors?: ({
                /** @description JSON Pointer into the body, or the query parameter name. */
                pointer: string;
                detail: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Seconds until the request can succeed; equals the Retry-After header. */
            retryAfter?: number;
            /** @description The limit hit and the value requested, e.g. maxOutputWidth and requestedWidth. */
            limits?: {
                [key: string]: number;
            };
        } & {
            [key: string]: unknown;
        };
        CollectionList: {
            collections: components["schemas"]["CollectionPart"][];
            links: components["schemas"]["Link"][];
            numberMatched?: number;
            numberReturned?: number;
        };
        CollectionPart: {
            /** @enum {string} */
            type: "Collection";
            stac_version?: string;
            stac_extensions?: string[] | null;
            id: string;
            title?: string;
            description?: string;
            keywords?: string[];
            license?: string;
            providers?: components["schemas"]["Provider"][];
            extent?: components["schemas"]["Extent"];
            summaries?: {
                [key: string]: unknown;
            };
            item_assets?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            assets?: {
                [key: string]: components["schemas"]["Asset"];
            };
            links?: components["schemas"]["Link"][];
            bands?: components["schemas"]["Band"][];
            "svc:aliases"?: components["schemas"]["Alias"][];
            "svc:attribution"?: string;
            "svc:units"?: components["schemas"]["Unit"][];
            "svc:default_units"?: components["schemas"]["Unit"];
            "svc:harmonize_levels"?: components["schemas"]["HarmonizeLevel"][];
            "svc:default_harmonize"?: components["schemas"]["HarmonizeLevel"];
            "svc:pseudo_bands"?: components["schemas"]["PseudoBand"][];
            "svc:mask_source"?: components["schemas"]["MaskSource"] | components["schemas"]["MaskSource"][];
            "svc:mask_capabilities"?: components["schemas"]["MaskClass"][];
            "svc:zoom"?: {
                min: number;
                scenes?: number;
                max: number;
            };
        } & {
            [key: string]: unknown;
        };
        Provider: {
            name: string;
            description?: string | null;
            roles?: ("licensor" | "producer" | "processor" | "host")[];
            url?: string;
        } & {
            [key: string]: unknown;
        };
        Extent: {
            spatial: {
                bbox: number[][];
            } & {
                [key: string]: unknown;
            };
            temporal: {
                interval: (string | null)[][];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Asset: {
            href: string;
            type?: string | null;
            title?: string | null;
            description?: string | null;
            roles?: string[] | null;
            bands?: ({
                name?: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description A band of a collection. */
        Band: {
            /** @description Native band name, unique within the collection. */
            name: string;
            /** @description STAC eo common name, the key across sensors. */
            common_name?: string;
            description?: string;
            /** @description Other names that resolve to this band here. */
            aliases?: string[];
            /** @description Micrometres. */
            center_wavelength?: number;
            /** @description Micrometres. */
            full_width_half_max?: number;
            /** @description Native ground sample distance, metres. */
            gsd?: number;
            data_type?: components["schemas"]["DataType"];
            /** @description value = scale × DN + offset. */
            scale?: number;
            /** @description Offset of the newest product. */
            offset?: number;
            /** @description How the offset is chosen per item; absent if constant. */
            offset_rule?: string;
            /** @description Stored nodata value. */
            nodata?: number;
            unit?: components["schemas"]["Unit"];
            /** @description Whether the band resolves on `optical-sr`. */
            cross_sensor?: boolean;
            notes?: string;
            "eo:common_name"?: string;
            "eo:center_wavelength"?: number;
            "eo:full_width_half_max"?: number;
            "raster:scale"?: number;
            "raster:offset"?: number;
            "raster:spatial_resolution"?: number;
        };
        /**
         * @description Type of stored values.
         * @enum {string}
         */
        DataType: "uint8" | "uint16" | "int16" | "float32";
        /**
         * @description Unit of pixel values.
         * @enum {string}
         */
        Unit: "REFLECTANCE" | "DN" | "KELVIN" | "CELSIUS" | "LINEAR_POWER" | "DB" | "METERS" | "DEGREES" | "FRACTION";
        /** @description Another id for a collection. */
        Alias: {
            /** @description Accepted wherever a collection id is; in a path only without a slash. */
            id: string;
            /** @description Who uses this id. */
            source: string;
            /** @description Family of services that share the id. */
            group?: string;
            /** @description CQL2 text filter that the alias implies. */
            filter?: string;
        };
        /**
         * @description How far values are brought to one scale across products and sensors.
         * @enum {string}
         */
        HarmonizeLevel: "none" | "offset_removed" | "bandpass_adjusted" | "nbar";
        /**
         * @description A band derived from others of the same scene.
         * @enum {string}
         */
        PseudoBand: "mask" | "mask_class" | "dataMask" | "cloud_probability";
        /** @description Where mask classes come from. */
        MaskSource: string;
        /**
         * @description What a pixel shows.
         * @enum {string}
         */
        MaskClass: "nodata" | "saturated_defective" | "cloud" | "cloud_shadow" | "cirrus" | "cloud_adjacent" | "snow_ice" | "water" | "dark_terrain_shadow" | "unclassified" | "clear";
        /** @description One page of items. */
        ItemPage: {
            /** @enum {string} */
            type: "FeatureCollection";
            features: ({
                /** @enum {string} */
                type: "Feature";
                id: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description All matches; absent from 10,000 on. */
            numberMatched?: number;
            numberReturned?: number;
            links: components["schemas"]["Link"][];
            /** @description Matches between the first and the last item of the page that the upstream fails on. */
            "svc:items_unreadable"?: number;
            /** @description Upstreams that did not answer: their items are missing from the page, and matches are not counted. Following pages ask them again. */
            "svc:upstreams_missing"?: string[];
        };
        SearchBody: {
            /** @description Collection ids or aliases. */
            collections?: string[] | string;
            /** @description Item ids. */
            ids?: string[] | string;
            bbox?: number[];
            /** @description GeoJSON geometry, instead of `bbox`. */
            intersects?: components["schemas"]["GeoJsonGeometry"];
            datetime?: string;
            /** @default 10 */
            limit?: number;
            /** @description Conditions on properties: the STAC query extension. */
            query?: components["schemas"]["ItemFilter"];
            sortby?: {
                field: string;
                /** @enum {string} */
                direction: "asc" | "desc";
            }[];
            fields?: {
                include?: string[];
                exclude?: string[];
            };
            token?: string;
            /** @description CQL2 JSON filter, AND all other conditions. */
            filter?: Record<string, never>;
            /**
             * @default cql2-json
             * @enum {string}
             */
            "filter-lang"?: "cql2-json";
            /**
             * @default http://www.opengis.net/def/crs/OGC/1.3/CRS84
             * @enum {string}
             */
            "filter-crs"?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
        };
        /** @description A STAC item. */
        Item: {
            /** @enum {string} */
            type: "Feature";
            stac_version: string;
            stac_extensions?: string[] | null;
            id: string;
            collection?: string | null;
            geometry: components["schemas"]["Geometry"];
            /** @description West, south, east, north (CRS84), or six numbers with heights. */
            bbox?: number[];
            properties: components["schemas"]["Properties"];
            assets: {
                [key: string]: components["schemas"]["Asset"];
            };
            links: components["schemas"]["Link"][];
        } & {
            [key: string]: unknown;
        };
        /** @description A GeoJSON geometry (RFC 7946). */
        Geometry: ({
            /** @enum {string} */
            type: "Point" | "MultiPoint" | "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon" | "GeometryCollection";
            coordinates?: unknown[];
            geometries?: unknown[];
        } & {
            [key: string]: unknown;
        }) | null;
        Properties: {
            datetime: string | null;
            start_datetime?: string;
            end_datetime?: string;
            created?: string;
            updated?: string;
            platform?: string;
            constellation?: string;
            instruments?: string[];
            gsd?: number;
        } & {
            [key: string]: unknown;
        };
        PresetList: {
            presets: components["schemas"]["PresetDocument"][];
            links: components["schemas"]["Link"][];
        };
        PresetDocument: {
            id: string;
            title: string;
            description?: string;
            /** @description Default collection. */
            collection: string;
            /** @description Collections accepted by ?collection=. */
            collections?: components["schemas"]["CollectionId"][];
            /** @description Common band names read. */
            bands: string[];
            /** @description Band math by common name, on reflectance. */
            expression?: string;
            /** @description Value range mapped to 0-255. */
            rescale?: number[];
            /** @description Named colormap for one-band presets. */
            colormap?: string;
            /** @description Shaded relief of the band, which holds heights. */
            hillshade?: {
                /** @description Direction the light comes from, degrees clockwise from the top. */
                azimuth: number;
                /** @description Height of the sun above the horizon, degrees. */
                altitude: number;
            };
            harmonize?: components["schemas"]["HarmonizeLevel"];
            mosaickingOrder?: components["schemas"]["MosaickingOrder"];
            /** @description Scene cloud cover ceiling, percent. */
            maxCloudCoverage?: number;
            cloudMask?: components["schemas"]["CloudMask"];
            /** @description ISO 8601 duration ending now, when datetime is absent; absent itself: all times. */
            defaultWindow?: string;
            minzoom: number;
            maxzoom: number;
            tileMatrixSets?: ("WebMercatorQuad" | "WorldCRS84Quad")[];
            formats?: ("png" | "jpg" | "webp")[];
            /** @description Recipe by collection id. */
            "svc:recipes": {
                [key: string]: components["schemas"]["ShownRecipe"];
            };
            links: components["schemas"]["Link"][];
        };
        /** @description Canonical collection id. */
        CollectionId: string;
        /**
         * @description Which scene comes on top.
         * @enum {string}
         */
        MosaickingOrder: "mostRecent" | "leastRecent" | "leastCC";
        /** @description Cloud-mask settings. */
        CloudMask: {
            /** @description Classes to drop. */
            exclude?: components["schemas"]["MaskClass"][];
            /**
             * @description What Sentinel-2 SCL class 7 counts as; default unclassified.
             * @enum {string}
             */
            scl7?: "unclassified" | "cloud" | "clear";
            /** @description Buffer in metres around cloud and cloud_shadow on sources without one. */
            dilate_m?: number;
            /**
             * @description Minimum Landsat QA_PIXEL cloud confidence counted as cloud; default medium.
             * @enum {string}
             */
            cloudConfidence?: "low" | "medium" | "high";
        };
        /** @description How a preset is rendered from one collection. */
        ShownRecipe: {
            /** @description Upstream asset keys in band order; of a virtual collection common names. */
            assets: string[];
            /** @description In place of assets for an item that lacks one of these: the first of which it has all assets. */
            alternatives?: {
                /** @description Asset keys, as many as of the recipe and in the same order; one may stand for several. */
                assets: string[];
                /** @description By which the values of each asset are multiplied to become b1, b2, ...; absent: 1. */
                factors?: number[];
            }[];
            /** @description Over b1, b2, ... in the order of the assets. */
            expression?: string;
            /** @description Stored DN range of the newest product, or with an expression the range of its values, mapped to 0-255. */
            rescale?: number[];
            colormap?: string;
            /**
             * @description What b1, b2 ... of the expression, or the range of rescale, are in: DN as stored in the newest product, or physical values. Absent of a finished image.
             * @enum {string}
             */
            units?: "REFLECTANCE" | "DN" | "KELVIN" | "CELSIUS" | "LINEAR_POWER" | "DB" | "METERS" | "DEGREES" | "FRACTION";
            /** @description The one asset holds heights in metres, which are shaded; in place of expression, rescale and colormap. */
            hillshade?: {
                /** @description Direction the light comes from, degrees clockwise from the top. */
                azimuth: number;
                /** @description Height of the sun above the horizon, degrees. */
                altitude: number;
            };
            minzoom?: number;
            maxzoom?: number;
            /** @description Where several upstream collections hold the items and name assets differently: the keys of each. */
            assetsByCollection?: {
                [key: string]: string[];
            };
        };
        ProcessRequest: {
            input: {
                bounds: components["schemas"]["ProcessBounds"];
                data: components["schemas"]["ProcessData"][];
            };
            /** @description Common names, native names, aliases, or pseudo bands of the collection (`svc:pseudo_bands`, `DN` only); default: every spectral band that the scenes have. */
            bands?: string[];
            /**
             * @description Instead of `bands`: band math as in statistics, one expression or three divided by semicolons; the file holds its values as 32-bit floats.
             * @example (nir - red) / (nir + red)
             */
            expression?: string;
            output: components["schemas"]["ProcessOutput"];
        };
        ProcessBounds: {
            /** @description West, south, east, north, or six numbers with heights: degrees, or metres where `properties.crs` is in metres. */
            bbox?: number[];
            /** @description GeoJSON Polygon or MultiPolygon; pixels outside are nodata. */
            geometry?: components["schemas"]["GeoJsonArea"];
            properties?: {
                /** @description CRS of `bbox` or `geometry`; default CRS84, longitude and latitude in degrees. */
                crs?: string;
            };
        };
        ProcessData: {
            /** @description Collection id or alias. */
            type: string;
            dataFilter: components["schemas"]["DataFilter"];
            processing?: components["schemas"]["Processing"];
        };
        DataFilter: {
            timeRange?: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, inclusive.
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, inclusive.
                 */
                to: string;
            };
            /**
             * @description Scenes of more cloud, in percent, are left out.
             * @default 100
             */
            maxCloudCoverage?: number;
            /**
             * @description Which scene comes on top.
             * @default mostRecent
             * @enum {string}
             */
            mosaickingOrder?: "mostRecent" | "leastRecent" | "leastCC";
            /** @description Item ids, first on top, instead of `timeRange`. */
            ids?: string[];
        };
        Processing: {
            /**
             * @default REFLECTANCE
             * @enum {string}
             */
            units?: "REFLECTANCE" | "DN" | "KELVIN" | "CELSIUS" | "LINEAR_POWER" | "DB" | "METERS";
            /**
             * @default offset_removed
             * @enum {string}
             */
            harmonize?: "none" | "offset_removed" | "bandpass_adjusted" | "nbar";
            /** @default false */
            clipNegative?: boolean;
            /**
             * @default nearest
             * @enum {string}
             */
            resampling?: "nearest";
        };
        ProcessOutput: {
            /**
             * @description Pixels; the default holds without `resx` and `resy`.
             * @default 256
             */
            width?: number;
            /**
             * @description Pixels; the default holds without `resx` and `resy`.
             * @default 256
             */
            height?: number;
            /** @description Pixel width, instead of `width`: metres, or degrees where `crs` is in degrees. */
            resx?: number;
            /** @description Pixel height, instead of `height`: metres, or degrees where `crs` is in degrees. */
            resy?: number;
            /**
             * @description `EPSG:n`, an OGC URI or URN: 4326 and CRS84 are in degrees, 3857 and UTM zones in metres.
             * @default EPSG:3857
             */
            crs?: string;
            /**
             * @default image/tiff
             * @enum {string}
             */
            format?: "image/tiff";
            /**
             * @description `AUTO`: the narrowest type that holds every value.
             * @default AUTO
             * @enum {string}
             */
            sampleType?: "AUTO" | "UINT16" | "INT16" | "FLOAT32";
        };
        /** @description A background job. */
        ProcessJob: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed";
            /** Format: date-time */
            created: string;
            /** Format: date-time */
            updated: string;
            progress: number;
            files?: components["schemas"]["ProcessFile"][];
            /** @description Scenes that gave pixels. */
            items_used?: string[];
            /** @description Scenes that can't be read, left out. */
            items_skipped?: string[];
            error?: components["schemas"]["Problem"];
            links: components["schemas"]["Link"][];
            /** @description Units that the job costs when it is done; 0 where it has failed. */
            units?: number;
        };
        ProcessFile: {
            /**
             * Format: uri
             * @description Signed link of one hour, made anew with every poll.
             */
            url: string;
            /** Format: date-time */
            expires: string;
            filename: string;
            bytes: number;
            bands: string[];
            dtype: string;
            /** @description value = scale × sample + offset; null where scenes differ. */
            scales: (number | null)[];
            offsets: (number | null)[];
            /** @description `null`: the mask of the file says which pixels are data; without a mask all are. */
            nodata: number | "nan" | null;
            width: number;
            height: number;
            crs: string;
            bounds: number[];
            transform: number[];
            attribution: string;
        };
        SchemaV1: {
            "svc:schemaVersion": string;
        } & {
            [key: string]: unknown;
        };
        /** @description What the colors of a preset mean. */
        Legend: {
            preset: string;
            collection: string;
            title: string;
            /**
             * @description Colors of one value, or bands shown as colors.
             * @enum {string}
             */
            kind: "ramp" | "channels";
            /** @description Symbol of the values' unit; absent: plain numbers. */
            unit?: string;
            /** @description Values of the first and last color. */
            range?: number[];
            colormap?: string;
            /** @description Colors at equal steps, lowest value first; between two they are mixed. */
            stops?: {
                value: number;
                color: string;
            }[];
            /** @description Round values to write beside the colors. */
            ticks?: number[];
            /** @description What each color of the image shows. */
            channels?: {
                color: string;
                shows: string;
            }[];
            links: components["schemas"]["Link"][];
        };
        Statistics: {
            data: components["schemas"]["IntervalStatistics"][];
            /**
             * @description `PARTIAL`: an interval has a `problem`.
             * @enum {string}
             */
            status: "OK" | "PARTIAL";
            /** @description Unit of the bands that are read; where they have several, the one that was asked for. */
            units: string;
            /** @description Units of the bands that are read, by native name, of which indices and expressions are computed. */
            bandUnits: {
                [key: string]: string;
            };
            attribution: string[];
            /** @description Classes to drop that the mask of a collection cannot detect, by the scenes' collection. */
            undetectable: {
                [key: string]: components["schemas"]["MaskClass"][];
            };
            /** @description Longitude and latitude, degrees: the area holds no pixel's centre, and has the value of the pixel around this point in it. */
            sampledAt?: number[];
            /**
             * @description Percentiles, or bins without edges, of more than 4,000,000 values: ranks to 0.5 %.
             * @enum {boolean}
             */
            approximate?: true;
        };
        IntervalStatistics: {
            interval: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
            };
            outputs: {
                [key: string]: components["schemas"]["OutputStatistics"];
            };
            /** @description Items that gave pixels, first on top. */
            itemIds: string[];
            /** @description Which scenes were left out, and why. */
            problem?: {
                /**
                 * Format: uri
                 * @description Address of the page on this kind of problem; stable for the life of /v1.
                 */
                type: string;
                /** @description Short summary; constant for a kind of problem. */
                title: string;
                /** @description HTTP status repeated. */
                status: number;
                /** @description Explanation of this occurrence. */
                detail: string;
                /** @description Path of the failed request, without its query. */
                instance?: string;
                /** @description Machine code; equals the last path segment of `type`. */
                code?: string;
                /** @description Request id; also in the X-Request-Id header. */
                requestId?: string;
                /** @description The faults one by one, on 400 and 422. */
                errors?: ({
                    /** @description JSON Pointer into the body, or the query parameter name. */
                    pointer: string;
                    detail: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description Seconds until the request can succeed; equals the Retry-After header. */
                retryAfter?: number;
                /** @description The limit hit and the value requested, e.g. maxOutputWidth and requestedWidth. */
                limits?: {
                    [key: string]: number;
                };
            } & {
                [key: string]: unknown;
            };
        };
        OutputStatistics: {
            /** @description Of the values: REFLECTANCE, KELVIN ... of a band, 1 of an index; absent of an expression. */
            unit?: string;
            stats: {
                min: number | null;
                max: number | null;
                mean: number | null;
                /** @description Of the population. */
                stDev: number | null;
                /** @description Pixels of the geometry. */
                sampleCount: number;
                /** @description Those that are masked, missing or outside of scenes. */
                noDataCount: number;
                percentiles?: {
                    [key: string]: number | null;
                };
            };
            histogram?: {
                bins: {
                    lowEdge: number;
                    highEdge: number;
                    count: number;
                }[];
                overflowCount: number;
                underflowCount: number;
            };
        };
        StatisticsRequest: {
            input: {
                bounds?: components["schemas"]["ProcessBounds"];
                data: components["schemas"]["StatisticsData"][];
                /** @description Instead of `bounds`: statistics of each. */
                features?: {
                    /** @enum {string} */
                    type: "FeatureCollection";
                    features: ({
                        /** @enum {string} */
                        type: "Feature";
                        /** @description Default: its position, from 0. */
                        id?: string | number;
                        /** @description Point, Polygon or MultiPolygon (CRS84). */
                        geometry?: components["schemas"]["GeoJsonGeometry"];
                        properties?: {
                            [key: string]: unknown;
                        } | null;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                };
            };
            aggregation: components["schemas"]["Aggregation"];
            /** @description Common names, native names or aliases; instead of `index` and `expression`. */
            bands?: string[];
            /** @description Id or alias of an index of `/v1/schema`. */
            index?: string;
            /** @description Band math over names of the collection's bands. */
            expression?: string;
            cloudMask?: components["schemas"]["CloudMask"];
            /**
             * @description Default: offset_removed where the collection has it.
             * @enum {string}
             */
            harmonize?: "none" | "offset_removed" | "bandpass_adjusted" | "nbar";
            /** @description Several outputs, by `bands`, `indices` and `expressions` (by name), instead of those outside; beside them percentiles and histograms, under `default` or the name of an output. */
            calculations?: {
                bands?: string[];
                indices?: string[];
                expressions?: {
                    [key: string]: string;
                };
            } & {
                [key: string]: components["schemas"]["Calculation"];
            };
        };
        StatisticsData: {
            /** @description Collection id or alias. */
            type: string;
            /** @description The time is that of `aggregation.timeRange`. */
            dataFilter?: {
                /**
                 * @description Scenes of more cloud, in percent, are left out.
                 * @default 100
                 */
                maxCloudCoverage?: number;
                /**
                 * @description Which scene comes on top.
                 * @default mostRecent
                 * @enum {string}
                 */
                mosaickingOrder?: "mostRecent" | "leastRecent" | "leastCC";
            };
            processing?: {
                /**
                 * @description Default: REFLECTANCE, else the collection's `svc:units`.
                 * @enum {string}
                 */
                units?: "REFLECTANCE" | "DN" | "KELVIN" | "CELSIUS" | "LINEAR_POWER" | "DB" | "METERS" | "DEGREES" | "FRACTION";
            };
        };
        Aggregation: {
            timeRange: {
                /** @description RFC 3339 date-time with zone, or a date alone: its whole day, UTC. */
                from: string;
                /** @description RFC 3339 date-time with zone, or a date alone: its whole day, UTC. */
                to: string;
            };
            aggregationInterval?: {
                /**
                 * @description ISO 8601 duration; default: the whole time range.
                 * @example P1M
                 */
                of?: string;
            };
            /** @description Pixels; with `height`, instead of `resx` and `resy`. */
            width?: number;
            /** @description Pixels; with `width`. */
            height?: number;
            /** @description Pixel width in units of the CRS of `input.bounds`: degrees unless `properties.crs` is in metres. Default: the coarsest native resolution of the bands, in a UTM zone. */
            resx?: number;
            /** @description Pixel height in the unit of `resx`. */
            resy?: number;
        };
        Calculation: {
            /** @description Percent of the values that are below. */
            percentiles?: number[];
            histogram?: components["schemas"]["HistogramSettings"];
        };
        /** @description One of `nBins`, `binWidth` and `bins`. */
        HistogramSettings: {
            /** @description So many bins of equal width. */
            nBins?: number;
            /** @description Bins of this width, in the unit of the output. */
            binWidth?: number;
            /** @description Edges of the bins, ascending, in the unit of the output. */
            bins?: number[];
            /** @description Default: the smallest value of the interval. */
            lowEdge?: number;
            /** @description Default: the largest value of the interval. */
            highEdge?: number;
        };
        Timeseries: {
            /** @description What was asked for. */
            geometry?: components["schemas"]["GeoJsonGeometry"];
            collections: string[];
            index: string | null;
            /** @description Of a series without index. */
            expression?: string;
            harmonize: string;
            /** @description Observations. */
            count: number;
            /** @description One row for each overpass, oldest first. */
            series: components["schemas"]["Observation"][];
            smooth?: components["schemas"]["SmoothedCurve"];
            trend?: components["schemas"]["CurveTrend"];
            season?: components["schemas"]["CurveSeasons"];
            /** @description Several measures; `index` is null then. */
            measures?: {
                name: string;
                expression: string;
                unit?: string;
            }[];
            /** @description Of the values: REFLECTANCE, KELVIN ... of a band, 1 of an index; absent of an expression. */
            unit?: string;
            /** @description Units of the bands that index or expression name, of which values are computed. */
            bandUnits: {
                [key: string]: string;
            };
            /** @description Longitude and latitude, degrees: the area holds no pixel's centre, and has the value of the pixel around this point in it. */
            sampledAt?: number[];
            attribution: string[];
            /** @description Classes to drop that the mask of a collection cannot detect, by the scenes' collection. */
            undetectable: {
                [key: string]: components["schemas"]["MaskClass"][];
            };
        };
        Observation: {
            /** Format: date-time */
            datetime: string;
            /** @description The item that gave the pixels, the one on top where several did. */
            itemId: string;
            /** @description The item's own collection: a member of optical-sr. */
            collection: string;
            platform: string | null;
            /** @description null: every pixel is masked, or no scene could be read; absent of several measures. */
            value?: number | null;
            /** @description Of several measures. */
            values?: {
                [key: string]: number | null;
            };
            /** @description Numbers of `reducers` by name: mean, p90 of a percentile, share_4_5 of a share. */
            reducers?: {
                [key: string]: number | null;
            };
            /** @description Share of the pixels that have a value, 0 to 1; null: no scene could be read. */
            validFraction: number | null;
            harmonization: string;
            /** @description Longitude and latitude, degrees: the area holds no pixel's centre, and has the value of the pixel around this point in it. */
            sampledAt?: number[];
            /** @description Which scenes can never be read, and why. */
            problem?: {
                /**
                 * Format: uri
                 * @description Address of the page on this kind of problem; stable for the life of /v1.
                 */
                type: string;
                /** @description Short summary; constant for a kind of problem. */
                title: string;
                /** @description HTTP status repeated. */
                status: number;
                /** @description Explanation of this occurrence. */
                detail: string;
                /** @description Path of the failed request, without its query. */
                instance?: string;
                /** @description Machine code; equals the last path segment of `type`. */
                code?: string;
                /** @description Request id; also in the X-Request-Id header. */
                requestId?: string;
                /** @description The faults one by one, on 400 and 422. */
                errors?: ({
                    /** @description JSON Pointer into the body, or the query parameter name. */
                    pointer: string;
                    detail: string;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description Seconds until the request can succeed; equals the Retry-After header. */
                retryAfter?: number;
                /** @description The limit hit and the value requested, e.g. maxOutputWidth and requestedWidth. */
                limits?: {
                    [key: string]: number;
                };
            } & {
                [key: string]: unknown;
            };
        };
        SmoothedCurve: {
            /** @enum {string} */
            method: "whittaker" | "savitzky-golay" | "linear";
            lambda?: number;
            window?: number;
            order?: number;
            /** @description Where the method is published. */
            reference: string;
            /** @description One for each row of the series, in its order; null before the first value and after the last. */
            values: (number | null)[];
            /** @description Why there are no numbers. */
            reason?: string;
        };
        CurveTrend: {
            /** @enum {string} */
            method: "theil-sen";
            /** @description Where the method is published. */
            reference: string;
            /** @description Change of the value per 365.25 days. */
            slope: number | null;
            /** @description Slopes between which the true one is with a probability of 0.95. */
            confidence: number[] | null;
            /** @description Value of the line at `origin`. */
            intercept: number | null;
            /**
             * Format: date-time
             * @description Time of the first value.
             */
            origin: string | null;
            /** @description Values: rows without one are left out. */
            count: number;
            /** @description Why there are no numbers. */
            reason?: string;
            /** @description The test of whether values rise or fall at all. */
            mannKendall: {
                /** @enum {string} */
                method: "mann-kendall";
                /** @description Where the method is published. */
                reference: string;
                /** @description Pairs of rows that rise, less those that fall. */
                s: number;
                /** @description `s` in standard deviations, with ties and continuity. */
                z: number;
                /** @description Two-sided probability that chance gives as much. */
                p: number;
            };
        };
        CurveSeasons: {
            /** @enum {string} */
            method: "threshold";
            /** @description Where the method is published. */
            reference: string;
            threshold: number;
            /** @description Share of the curve's range that a summit rises by where it is a season. */
            prominence: number;
            seasons: {
                /**
                 * Format: date-time
                 * @description null: the curve begins above the threshold.
                 */
                start: string | null;
                /** Format: date-time */
                peak: string;
                /**
                 * Format: date-time
                 * @description null: the curve ends above the threshold.
                 */
                end: string | null;
                peakValue: number;
                /** @description The lower one of the lowest values on both sides. */
                base: number;
                /** @description `peakValue` less `base`. */
                amplitude: number;
            }[];
            /** @description Why there are no numbers. */
            reason?: string;
        };
        TimeseriesRequest: {
            /** @description Point, Polygon or MultiPolygon of at most 25 km² (CRS84). */
            geometry?: components["schemas"]["GeoJsonGeometry"];
            /** @description RFC 3339 interval of at most 15 years; dates alone and an open end (`..`) are allowed. */
            datetime: string;
            /** @description Collection ids or aliases; default optical-sr. */
            collections?: string[];
            /** @description Id or alias of an index of `/v1/schema`, such as `ndvi` or `GNDVI`; instead of `expression`. */
            index?: string;
            /** @description Band math over common names of bands, such as `(nir08 - red) / (nir08 + red)`; instead of `index`. */
            expression?: string;
            /**
             * @description Level of harmonization; default bandpass_adjusted of optical-sr, else offset_removed.
             * @enum {string}
             */
            harmonize?: "none" | "offset_removed" | "bandpass_adjusted" | "nbar";
            cloudMask?: components["schemas"]["CloudMask"];
            /** @description Scenes of more cloud, in percent, are left out. */
            maxCloudCoverage?: number;
            /**
             * @description How the pixels of a polygon become one value; of classes majority, which is their default.
             * @default mean
             * @enum {string}
             */
            reducer?: "mean" | "median" | "min" | "max" | "majority";
            /** @description Further numbers of the pixels, beside the value. */
            reducers?: components["schemas"]["SeriesReducer"][];
            smooth?: components["schemas"]["SmoothMethod"];
            /**
             * @description A straight line by Theil and Sen, with the test of Mann and Kendall.
             * @enum {string}
             */
            trend?: "theil-sen";
            /** @description Start, peak, end and amplitude of each season, of the smoothed curve where there is one. */
            season?: {
                /** @description Share of the amplitude at which a season starts and ends: above 0, below 1; often 0.2 or 0.5. */
                threshold: number;
            };
            /**
             * @description Default json; the Accept header wins.
             * @enum {string}
             */
            format?: "json" | "csv" | "png";
            /** @description Instead of `geometry`: a series of each, of at most 25 km² together. */
            input?: {
                features: components["schemas"]["FieldCollection"];
            };
            /** @description Several values of each overpass, instead of `index` and `expression`. */
            measures?: components["schemas"]["Measure"][];
        };
        /** @description `stdDev` is of the population; `percentile` is linear between the nearest values; `share` is that of the pixels whose value is one of these; `majority` is the class of most pixels. */
        SeriesReducer: ("mean" | "median" | "stdDev" | "min" | "max" | "count" | "majority") | {
            percentile: number;
        } | {
            share: number[];
        };
        /** @description A published method and its settings. */
        SmoothMethod: {
            /**
             * @description linear fills gaps alone; the others smooth too.
             * @enum {string}
             */
            method: "whittaker" | "savitzky-golay" | "linear";
            /** @description Of whittaker, default 10: the larger, the smoother. */
            lambda?: number;
            /** @description Of savitzky-golay: observations, odd; default 7. */
            window?: number;
            /** @description Of savitzky-golay: degree of the polynomial, less than the window; default 2. */
            order?: number;
        };
        /** @description GeoJSON FeatureCollection of at most 1,000 points and polygons. */
        FieldCollection: {
            /** @enum {string} */
            type: "FeatureCollection";
            features: ({
                /** @enum {string} */
                type: "Feature";
                /** @description Default: its position, from 0. */
                id?: string | number;
                /** @description Point, Polygon or MultiPolygon (CRS84). */
                geometry?: components["schemas"]["GeoJsonGeometry"];
                properties?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        Measure: {
            /** @description Name of its values in the rows. */
            name: string;
            /** @description Id or alias of an index. */
            index?: string;
            /** @description Band math. */
            expression?: string;
            /** @description Common name of a band. */
            band?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
