// The page with a link to another device: offers to copy the link.
import { offerCopy } from "../site/copy.js";

offerCopy();
