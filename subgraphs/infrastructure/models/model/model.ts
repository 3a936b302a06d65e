import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Int64 } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'A repository of models in the registry, as its newest version that was asked for describes it.',
  simpleResolvers: true,
})
export class Model {
  @Field(() => String, {
    description: 'First part of the repository’s name; `_` for a repository whose name has one part.',
  })
  project!: string;

  @Field(() => String, { description: 'The rest of its name.' })
  repo!: string;

  @Field(() => String, { nullable: true, description: 'How the weights are stored, e.g. gguf; null: not told.' })
  format!: string | null;

  @Field(() => String, { nullable: true, description: 'E.g. llama or transformer; null: not told.' })
  architecture!: string | null;

  @Field(() => Int64, { nullable: true, description: 'Parameters; null: not told.' })
  parameterCount!: string | null;

  @Field(() => String, { nullable: true, description: 'Width of the weights, e.g. int4 or bf16; null: not told.' })
  quantization!: string | null;

  @Field(() => Int64, { description: 'Bytes of its files.' })
  totalSizeBytes!: string;

  @Field(() => Boolean, { description: 'Whether the project is yours.' })
  isMine!: boolean;

  @Field(() => Boolean, { description: 'Whether everyone sees it; else its owner alone.' })
  isPublic!: boolean;
}

@ObjectType({ description: 'A page of models, newest first.', simpleResolvers: true })
export class ModelPage {
  @Field(() => [Model], { description: 'The models of the page.' })
  results!: Model[];

  @Field(() => Int, { description: 'Models on all pages.' })
  total!: number;
}

@ObjectType({ description: 'What models can be filtered by.', simpleResolvers: true })
export class ModelFormats {
  @Field(() => [String], { description: 'Every format there is, in alphabetical order.' })
  formats!: string[];

  @Field(() => [String], { description: 'Every architecture.' })
  architectures!: string[];

  @Field(() => [String], { description: 'Every quantization.' })
  quantizations!: string[];
}

@ObjectType({ description: 'A version of a model: one manifest in the registry.', simpleResolvers: true })
export class ModelArtifact {
  @Field(() => String, { description: 'Of the manifest, `sha256:` and 64 hex digits: never changes.' })
  digest!: string;

  @Field(() => String, { nullable: true, description: 'The most telling of its tags; null: it has none any more.' })
  primaryTag!: string | null;

  @Field(() => [String], { description: 'Its tags, the most telling first: 1,000 of them where there are more.' })
  allTags!: readonly string[];

  @Field(() => Int64, { description: 'Bytes of its files.' })
  totalSizeBytes!: string;

  @Field(() => Int64, { nullable: true, description: 'Parameters; null: not told.' })
  parameterCount!: string | null;

  @Field(() => DateTime, { description: 'When it was first seen here.' })
  indexedAt!: Date;

  @Field(() => String, { nullable: true, description: 'How the weights are stored, e.g. gguf; null: not told.' })
  format!: string | null;

  @Field(() => String, { nullable: true, description: 'E.g. llama or transformer; null: not told.' })
  architecture!: string | null;

  @Field(() => String, { nullable: true, description: 'Width of the weights, e.g. int4 or bf16; null: not told.' })
  quantization!: string | null;
}

@ObjectType({ description: 'A page of the versions of a model, newest first.', simpleResolvers: true })
export class ModelArtifactPage {
  @Field(() => [ModelArtifact], { description: 'The versions of the page.' })
  artifacts!: ModelArtifact[];

  @Field(() => Int, { description: 'Versions on all pages.' })
  total!: number;
}

@ObjectType({ description: 'A file of a version.', simpleResolvers: true })
export class ModelFile {
  @Field(() => String, { description: 'Its path, or its digest where it has no name.' })
  filename!: string;

  @Field(() => String, { nullable: true, description: 'What its name or its media type says; null: neither does.' })
  format!: string | null;

  @Field(() => Int64, { description: 'Bytes.' })
  sizeBytes!: number;
}

@ObjectType({ description: 'A version of a model with all that is known of it.', simpleResolvers: true })
export class ModelVersion extends ModelArtifact {
  @Field(() => String, { description: 'First part of the repository’s name.' })
  project!: string;

  @Field(() => String, { description: 'The rest of its name.' })
  repo!: string;

  @Field(() => [ModelFile], {
    description: 'Its files, in the order of the manifest: the first 1,000 where there are more.',
  })
  files!: readonly ModelFile[];

  @Field(() => String, { description: 'A command line that fetches it.' })
  pullCommand!: string;
}
