import * as images from "../../../src/testing/anthropic/rules/images.ts";
import { png as pngOf } from "../../support/images.ts";
import { image, png, type RefusalCase, request, user } from "./requests.ts";

const sized = (width: number, height: number): object =>
  image("image/png", pngOf(width, height).toString("base64"));

/** Rule 32: images. */
export const imageCases: readonly RefusalCase[] = [
  {
    rule: 32,
    name: "type and bytes",
    check: images.imageTypes,
    refused: request([user(image("image/jpeg", png))]),
    message:
      "messages.0.content.0.image.source.base64.data: Image does not match the provided media type image/jpeg",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: 32,
    name: "empty",
    check: images.imageShapes,
    refused: request([user(image("image/png", ""))]),
    message: "messages.0.content.0.image.source.base64: image cannot be empty",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: 32,
    name: "kind",
    check: images.imageShapes,
    refused: request([user(image("image/svg+xml", "PHN2Zz4="))]),
    message:
      "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: 32,
    name: "cut off",
    check: images.imagesReadable,
    refused: request([user(image("image/png", png.slice(0, 60)))]),
    message: "Could not process image",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: 32,
    name: "size",
    check: images.imageSizes,
    refused: request([user(image("image/png", `${png.slice(0, -4)}${"A".repeat(10 * 1024 * 1024)}`))]),
    message:
      "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485852 bytes > 10485760 bytes",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: 32,
    name: "longest side",
    check: images.imageDimensions,
    refused: request([user(sized(8001, 1))]),
    message: {
      message:
        "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
      details: {
        error_code: "image_dimensions_too_large",
        max_side_length_pixels: 8000,
        paths: ["messages.0.content.0"],
      },
    },
    accepted: request([user(sized(8000, 1))]),
  },
  {
    rule: 32,
    name: "longest side of many",
    check: images.dimensionsOfMany,
    refused: request([user(...Array.from({ length: 20 }, () => sized(1, 1)), sized(1, 2001))]),
    message: {
      message:
        "messages.0.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
      details: {
        error_code: "image_dimensions_too_large",
        max_side_length_pixels: 2000,
        paths: ["messages.0.content.20"],
      },
    },
    accepted: request([user(...Array.from({ length: 19 }, () => sized(1, 1)), sized(1, 2001))]),
  },
  {
    rule: 32,
    name: "number",
    check: images.fewImages,
    refused: request([user(...Array.from({ length: 101 }, () => sized(1, 1)))], {
      model: "claude-haiku-4-5",
    }),
    message: "Too much media: 0 document pages + 101 images > 100",
    accepted: request([user(...Array.from({ length: 101 }, () => sized(1, 1)))]),
  },
];
