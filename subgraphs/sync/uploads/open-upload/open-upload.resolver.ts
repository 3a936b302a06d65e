import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { Folder } from '../../folders/folder/folder.js';
import { openUploadsOfFolder } from './open-upload.actions.js';
import { OpenUpload } from './open-upload.js';

@Resolver(() => Folder)
export class OpenUploadResolver {
  @FieldResolver(() => [OpenUpload], {
    description: 'Its upload sessions that still receive chunks, oldest first; an owner has at most 64 in all folders.',
  })
  async openUploads(@Root() { id }: Folder, @Ctx() context: Context): Promise<OpenUpload[]> {
    return (await openUploadsOfFolder(context, id)) ?? [];
  }
}
