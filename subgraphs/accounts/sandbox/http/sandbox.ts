import { Directive, Field, Int, ObjectType } from 'type-graphql';

@Directive('@inaccessible')
@ObjectType({ description: 'A header of an answer.', simpleResolvers: true })
export class SandboxHeader {
  @Field(() => String, { description: 'In lower case.' })
  name!: string;

  @Field(() => String, { description: 'As it is sent.' })
  value!: string;
}

@Directive('@inaccessible')
@ObjectType({ description: 'What the sandbox payment processor answers over HTTP.', simpleResolvers: true })
export class SandboxAnswer {
  @Field(() => Int, { description: 'The HTTP status.' })
  status!: number;

  @Field(() => [SandboxHeader], { description: 'Its headers.' })
  headers!: SandboxHeader[];

  @Field(() => String, { description: 'JSON or HTML.' })
  body!: string;
}
