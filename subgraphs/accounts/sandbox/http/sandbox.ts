import { Directive, Field, Int, ObjectType } from 'type-graphql';

@Directive('@inaccessible')
@ObjectType({ description: 'A response header.', simpleResolvers: true })
export class SandboxHeader {
  @Field(() => String, { description: 'Header name, in lower case.' })
  name!: string;

  @Field(() => String, { description: 'Header value.' })
  value!: string;
}

@Directive('@inaccessible')
@ObjectType({ description: 'An HTTP response of the sandbox payment processor.', simpleResolvers: true })
export class SandboxAnswer {
  @Field(() => Int, { description: 'The HTTP status.' })
  status!: number;

  @Field(() => [SandboxHeader], { description: 'The response headers.' })
  headers!: SandboxHeader[];

  @Field(() => String, { description: 'The response body: JSON or HTML.' })
  body!: string;
}
