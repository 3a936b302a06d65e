import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Int64 } from '../../../../kernel/scalars/scalars.js';

@ObjectType({
  description: 'A model repository in the registry, described by its newest matching version.',
  simpleResolvers: true,
})
export class Model {
  @Field(() => String, {
    description: 'First part of the repository name; `_` if the name has only one part.',
  })
  project!: string;

  @Field(() => String, { description: 'The rest of the repository name.' })
  repo!: string;

  @Field(() => String, { nullable: true, description: 'File format of the weights, e.g. gguf; null: unknown.' })
  format!: string | null;

  @Field(() => String, { nullable: true, description: 'Architecture, e.g. llama or transformer; null: unknown.' })
  architecture!: string | null;

  @Field(() => Int64, { nullable: true, description: 'Number of parameters; null: unknown.' })
  parameterCount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Quantization of the weights, e.g. int4 or bf16; null: unknown.',
  })
  quantization!: string | null;

  @Field(() => Int64, { description: 'Total size of its files in bytes.' })
  totalSizeBytes!: string;

  @Field(() => Boolean, { description: 'Whether you own the project.' })
  isMine!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the project is public. A private project is visible only to its owner.',
  })
  isPublic!: boolean;
}

@ObjectType({ description: 'A page of models, newest first.', simpleResolvers: true })
export class ModelPage {
  @Field(() => [Model], { description: 'The models of the page.' })
  results!: Model[];

  @Field(() => Int, { description: 'Number of models on all pages.' })
  total!: number;
}

@ObjectType({ description: 'Values by which models can be filtered.', simpleResolvers: true })
export class ModelFormats {
  @Field(() => [String], { description: 'Formats, in alphabetical order.' })
  formats!: string[];

  @Field(() => [String], { description: 'Architectures, in alphabetical order.' })
  architectures!: string[];

  @Field(() => [String], { description: 'Quantizations, in alphabetical order.' })
  quantizations!: string[];
}

@ObjectType({ description: 'A version of a model: one manifest in the registry.', simpleResolvers: true })
export class ModelArtifact {
  @Field(() => String, { description: 'Digest of the manifest: `sha256:` and 64 hex digits. Never changes.' })
  digest!: string;

  @Field(() => String, { nullable: true, description: 'The most specific of its tags; null: it has no tag any more.' })
  primaryTag!: string | null;

  @Field(() => [String], { description: 'Its tags, the most specific first, at most 1,000.' })
  allTags!: readonly string[];

  @Field(() => Int64, { description: 'Total size of its files in bytes.' })
  totalSizeBytes!: string;

  @Field(() => Int64, { nullable: true, description: 'Number of parameters; null: unknown.' })
  parameterCount!: string | null;

  @Field(() => DateTime, { description: 'When it was first indexed.' })
  indexedAt!: Date;

  @Field(() => String, { nullable: true, description: 'File format of the weights, e.g. gguf; null: unknown.' })
  format!: string | null;

  @Field(() => String, { nullable: true, description: 'Architecture, e.g. llama or transformer; null: unknown.' })
  architecture!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Quantization of the weights, e.g. int4 or bf16; null: unknown.',
  })
  quantization!: string | null;
}

@ObjectType({ description: 'A page of the versions of a model, newest first.', simpleResolvers: true })
export class ModelArtifactPage {
  @Field(() => [ModelArtifact], { description: 'The versions of the page.' })
  artifacts!: ModelArtifact[];

  @Field(() => Int, { description: 'Number of versions on all pages.' })
  total!: number;
}

@ObjectType({ description: 'A file of a version.', simpleResolvers: true })
export class ModelFile {
  @Field(() => String, { description: 'Path of the file, or its digest if it has no name.' })
  filename!: string;

  @Field(() => String, { nullable: true, description: 'File format from its name or media type; null: unknown.' })
  format!: string | null;

  @Field(() => Int64, { description: 'Size in bytes.' })
  sizeBytes!: number;
}

@ObjectType({ description: 'A version of a model in detail.', simpleResolvers: true })
export class ModelVersion extends ModelArtifact {
  @Field(() => String, { description: 'First part of the repository name.' })
  project!: string;

  @Field(() => String, { description: 'The rest of the repository name.' })
  repo!: string;

  @Field(() => [ModelFile], {
    description: 'Its files in the order of the manifest, at most the first 1,000.',
  })
  files!: readonly ModelFile[];

  @Field(() => String, {
    description:
      'A command that downloads it. For a version pushed in chunks it needs the Python package `hippius_hub`.',
  })
  pullCommand!: string;
}
